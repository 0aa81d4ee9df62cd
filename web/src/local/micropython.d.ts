declare module '@micropython/micropython-webassembly-pyscript/micropython.mjs' {
  export interface MicroPython {
    FS: { writeFile(path: string, text: string): void; mkdir(path: string): void; analyzePath(path: string): { exists: boolean } };
    globals: { get(name: string): unknown };
    registerJsModule(name: string, module: object): void;
    runPython(code: string): unknown;
  }
  export function loadMicroPython(options: { url?: string; heapsize?: number; stdout?: (line: string) => void }): Promise<MicroPython>;
}
