// The letters by which a big screen and the phones beside it call the places where a token may go.

import type { OrmaView } from './types';

const nth = (n: number): string => (n < 26 ? String.fromCharCode(65 + n) : nth(Math.floor(n / 26) - 1) + nth(n % 26));

/**
 * The letter of every place there has been: A, B, C … as they came, each kept for as long as its row grows or its black token
 * lies there. A fold over the moves, so that every screen has the same.
 */
export function lettersOf(words: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const give = (place: string): void => {
    const taken = new Set(found.values());
    let n = 0;
    while (taken.has(nth(n))) n++;
    found.set(place, nth(n));
  };
  let [rows, blacks] = [0, 1];
  give('b0');
  for (const word of words) {
    const [colour, place] = word.split('@');
    if (place === undefined) continue;
    if (colour === 'black') {
      found.delete(place);
      give(`b${blacks++}`);
    } else if (place[0] === 'b') give(`r${rows++}`);
  }
  return found;
}

/** The places where some token may go now, as the table says, with their letters. */
export function openPlaces(view: OrmaView): { place: string; letter: string }[] {
  const letters = lettersOf(view.moves);
  const rows = view.rows.flatMap(({ to }, row) => (to === null ? [`r${row}`] : []));
  const blacks = view.blacks.flatMap(({ may_start }, black) => (may_start.length ? [`b${black}`] : []));
  return [...blacks, ...rows]
    .map((place) => ({ place, letter: letters.get(place) ?? '' }))
    .sort((a, b) => a.letter.localeCompare(b.letter));
}
