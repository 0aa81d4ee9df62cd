/** The sums of Out of Sock as a reader would write them down; what counts, the server has said. */
import type { Text } from './text';
import type { SuitSum } from './types';

const kindOf = (card: string): string => card.split(':')[1] ?? '';
const rank = (card: string): number => Number(kindOf(card)) || { double: -1, conversion: -2, ban: -3 }[kindOf(card)] || 0;

/** Socks first, the large ones before the small; then what doubles, turns, bans. */
export const inOrder = (cards: string[]): string[] => [...cards].sort((a, b) => rank(b) - rank(a));

/** "− (8 + 2) × 2". */
export function written({ socks, doubled, counts }: SuitSum): string {
  if (socks.length === 0) return '0';
  const sum = socks.join(' + ');
  const inner = socks.length > 1 && (doubled > 0 || counts === 'minus') ? `(${sum})` : sum;
  return (counts === 'minus' ? '− ' : '') + inner + ' × 2'.repeat(doubled);
}

/** What the special cards do to it. */
export function why({ doubled, turned, counts }: SuitSum, words: Text['end']): string {
  if (counts === 'banned') return words.banned();
  if (counts === 'nothing') return words.noSocks();
  const parts: string[] = [];
  if (doubled > 0) parts.push(doubled === 1 ? words.doubled() : words.doubledN({ n: doubled }));
  if (turned === 1) parts.push(words.turned());
  else if (turned > 1) parts.push((counts === 'minus' ? words.turnedMinus : words.turnedBack)({ n: turned }));
  return parts.join(', ');
}
