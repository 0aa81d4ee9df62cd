/** The sentences of a game's own words (`text/words.LANG.md`): `{value}`, `{n:one|many}`, and seats as their players' names. */
/** Whose value is a seat. */
export const SEATS = new Set(['seat', 'of', 'winner', 'loser']);

/** Put values into a sentence; those that are words of the game have a name in its `words`. */
export function fill(sentence: string, values: Record<string, unknown>, names: string[] = [], words: Record<string, string> = {}): string {
  return sentence.replace(/\{(\w+)(?::([^|{}]*)\|([^{}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (one !== undefined) return Number(value) === 1 ? one : (many ?? '');
    if (value === undefined || value === null) return whole;
    if (SEATS.has(name) && typeof value === 'number') return names[value] ?? String(value + 1);
    return Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'number'
        ? minus(value)
        : (words[`value.${String(value)}`] ?? String(value));
  });
}

/** A number as people write it: with a minus instead of a hyphen. */
export const minus = (n: number): string => String(n).replace('-', '−');

/** A sentence as people write it: with a capital, and an end. */
export const whole = (text: string): string => capital(text) + (/[.!?…]$/.test(text) ? '' : '.');
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A code of a program as people would write it. */
export const plain = (code: string): string => code.replaceAll('_', ' ');
