/** Small things this browser remembers; all work without (private windows, storage turned off). */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(`tavolino.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`tavolino.${key}`, value);
  } catch {
    // nothing is lost but the memory of a choice
  }
}
