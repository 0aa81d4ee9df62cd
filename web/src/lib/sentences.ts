/** The sentences of a game's own words (`text/words.LANG.md`): `{value}`, `{n:one|many}`, and seats as their players' names. */
const SEATS = new Set(['seat', 'of', 'winner']);

/** Put values into a sentence. */
export function fill(sentence: string, values: Record<string, unknown>, names: string[] = []): string {
  return sentence.replace(/\{(\w+)(?::([^|{}]*)\|([^{}]*))?\}/g, (whole, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (one !== undefined) return Number(value) === 1 ? one : (many ?? '');
    if (value === undefined || value === null) return whole;
    if (SEATS.has(name) && typeof value === 'number') return names[value] ?? String(value + 1);
    return Array.isArray(value) ? value.join(', ') : typeof value === 'number' ? String(value).replace('-', '−') : String(value);
  });
}

/** A code of a program as people would write it. */
export const plain = (code: string): string => code.replaceAll('_', ' ');
