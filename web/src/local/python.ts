/**
 * The table's Python, as the server runs it, in MicroPython (`tavolino.browser` packs it). Rules are called in
 * WebAssembly; numbers go through as text, because MicroPython's bridge cuts them to 32 bits.
 */
import type { loadMicroPython, MicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
import type { Engine } from './engine';
import { bytesOf, hexOf } from './hex';
import { answerJudge } from './judge';

export interface Pack {
  /** Modules and texts by their path. */
  files: Record<string, string>;
}

export interface GamePack extends Pack {
  package: string;
  /** The fields of the state: name, format, lengths. */
  state: [string, string, number, number][];
  streams: string[];
  rolled: number;
  /** What corrects the chances that bots say, by whose they are and the number of players. */
  calibration: Record<string, unknown>;
}

/** What Python said it cannot do. */
export interface Refused {
  refused: { code: string; text: string; reason: string | null; values: Record<string, unknown> };
}

const HEAP = 8 << 20;
const TABLES = 'tavolino.browser.table';
const loader = (module: string): string => `
import sys, json
sys.path.insert(0, "/")
import registry
from ${module} import ask
def add(text):
    registry.add(*json.loads(text))
`;

const words = (hexes: string[]): bigint[] => hexes.map((hex) => BigInt(`0x${hex}`));

/** Call a rule of a game on a state; return the state after it and what the rule says, as text. */
export function callRule(engine: Engine, name: string, hex: string, given: string): string {
  const state = bytesOf(hex);
  const [a, b, c, d] = JSON.parse(given) as [never, never, never, never];
  const said = (after: Uint8Array, result: unknown = null) => `${hexOf(after)} ${JSON.stringify(result)}`;
  switch (name) {
    case 'deal':
      return said(engine.deal(a, b, c, words(d)));
    case 'start':
      return said(engine.start(state, a, b));
    case 'apply':
      return said(engine.apply(state, a));
    case 'chance':
      return said(state, engine.chance(state, words(a)));
    case 'scores':
      return said(state, engine.scores(state));
    case 'redeal':
      return said(engine.redeal(state, a, words(b)[0]!));
    case 'play_all': {
      const { state: after, played, movers } = engine.replay(state, a);
      return said(after, movers.slice(0, played));
    }
    default:
      throw new Error(`no rule ${name}`);
  }
}

const CATEGORIES = [...'LNPSMZC'].map((kind) => [kind, new RegExp(`\\p{${kind}}`, 'u')] as const);

export class Python {
  #python: MicroPython;
  #games = new Map<string, Engine>();

  private constructor(python: MicroPython) {
    this.#python = python;
  }

  /** Start it with what is packed, from the address of its own WebAssembly; `module` is the one that answers. */
  static async start(begin: typeof loadMicroPython, packs: Pack[], module = TABLES, url?: string): Promise<Python> {
    const made = new Python(await begin({ ...(url === undefined ? {} : { url }), heapsize: HEAP }));
    made.#python.registerJsModule('host', {
      now: () => String(performance.now()),
      wall: () => String(Date.now()),
      random_hex: (length: number) => hexOf(crypto.getRandomValues(new Uint8Array(length))),
      normalize: (form: string, text: string) => text.normalize(form),
      category: (character: string) => CATEGORIES.find(([, fits]) => fits.test(character))?.[0] ?? 'C',
      printable: (text: string) => !/[\p{C}\p{Z}]/u.test(text.replaceAll(' ', '')),
      fits: (pattern: string, text: string) => new RegExp(`^(?:${pattern})$`, 'u').test(text),
      kernel: (key: string, name: string, state: string, given: string) => callRule(made.#games.get(key)!, name, state, given),
      tried: (key: string, name: string, given: string) => answerJudge(made.#games.get(key)!, name, given),
    });
    for (const pack of packs) made.#put(pack);
    made.#python.runPython(loader(module));
    return made;
  }

  #put(pack: Pack): void {
    const { FS } = this.#python;
    for (const [path, text] of Object.entries(pack.files)) {
      const folders = path.split('/').slice(0, -1);
      folders.forEach((_, i) => {
        const folder = `/${folders.slice(0, i + 1).join('/')}`;
        if (!FS.analyzePath(folder).exists) FS.mkdir(folder);
      });
      FS.writeFile(`/${path}`, text);
    }
  }

  has(key: string): boolean {
    return this.#games.has(key);
  }

  /** Add a game, or give it a fresh engine. */
  addGame(key: string, pack: GamePack, engine: Engine): void {
    this.#games.set(key, engine);
    this.#put(pack);
    (this.#python.globals.get('add') as (text: string) => void)(
      JSON.stringify([key, pack.package, pack.state, pack.streams, pack.rolled, pack.calibration]),
    );
  }

  /** Ask Python for something (`tavolino.browser.table.do` lists what there is at a table). */
  ask<T>(name: string, given: unknown): T | Refused {
    return JSON.parse((this.#python.globals.get('ask') as (name: string, text: string) => string)(name, JSON.stringify(given))) as
      T | Refused;
  }
}
