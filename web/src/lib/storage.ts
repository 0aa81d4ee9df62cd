/** Small things this browser remembers; all work without (private windows, storage turned off). */
const PREFIX = 'tavolino.';

export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // nothing is lost but the memory of a choice
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // it was not there
  }
}

/** The keys that begin so. */
export function rememberedKeys(beginning: string): string[] {
  try {
    const all = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '');
    return all.filter((key) => key.startsWith(PREFIX + beginning)).map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}
