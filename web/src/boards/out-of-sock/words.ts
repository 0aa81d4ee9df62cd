/** Read the words of the wire: cards. */
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
