/**
 * Whether this page stands in a folder of its own, with no server behind it. `tavolino site` says so in index.html; then
 * the addresses of the page are behind `#`, because a web host knows only files, and the folder can be anywhere.
 */
export const SITE = document.querySelector('meta[name="tavolino-site"]') !== null;

/** The address of a page of ours, for a link. */
export const hrefOf = (path: string): string => (SITE ? `#${path}` : path);

/** The address of a page of ours, to be given away. */
export const urlOf = (path: string): string => new URL(hrefOf(path), SITE ? location.href : location.origin).href;

/** Where a file of the page's folder is. */
export const fileOf = (path: string): string => new URL(path, new URL(SITE ? '.' : '/', location.href)).href;

/** Where a file of the engine is: rules as WebAssembly, Python, texts. */
export const engineFile = (path: string): string => fileOf(`engine/${path}`);

/** Give someone a file to keep. */
export function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
