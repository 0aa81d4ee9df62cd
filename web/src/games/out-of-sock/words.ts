/** Read the words of the wire, and say things of the table in the reader's language. */
import type { Text } from './text';
import { change, figure } from './art';
import type { Special, Suit } from './types';

export interface ReadCard {
  suit: Suit;
  socks: number;
  special: Special | null;
}

/** Take a card's word apart: `yellow:4`, `red:conversion`. */
export function readCard(word: string): ReadCard {
  const [suit, face] = word.split(':') as [Suit, string];
  const socks = Number(face);
  return Number.isNaN(socks) ? { suit, socks: 0, special: face as Special } : { suit, socks, special: null };
}

/** Name a card: "red, 4 socks", "pink Double". */
export function sayCard(words: Text, card: string): string {
  const { suit, socks, special } = readCard(card);
  return special ? words.card[special]({ suit }) : words.card.socks({ suit, n: socks }); // the colour agrees with its noun there
}

/** Name a column with what it counts: "pink: 8 socks, Double. 16 points". */
export function sayColumn(words: Text, suit: Suit, cards: string[], points: number): string {
  const name = words.suit[suit]();
  if (cards.length === 0) return words.mine.none({ suit: name });
  return words.mine.column({
    suit: name,
    cards: cards.map((card) => sayCard(words, card)).join('; '),
    points: sayPoints(words, points),
  });
}

export const sayPoints = (words: Text, points: number): string =>
  points === 1 ? words.mine.points({ n: 1 }) : words.mine.points({ n: points }).replace(String(points), figure(points));

export { change, figure };
