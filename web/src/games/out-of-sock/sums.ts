/** The sums of Out of Sock as a reader would work them out; what counts, the server has said. */
import type { Text } from './text';
import type { BySuit, Suit } from './types';

export interface SuitSum {
  suit: Suit;
  /** Socks first, the large ones before the small; then what doubles, turns, bans. */
  cards: string[];
  /** "− (8 + 2) × 2"; empty without cards. */
  sum: string;
  /** What the special cards do to it. */
  why: string;
  banned: boolean;
  points: number;
}

const kindOf = (card: string): string => card.split(':')[1] ?? '';
const rank = (card: string): number => Number(kindOf(card)) || { double: -1, conversion: -2, ban: -3 }[kindOf(card)] || 0;

export function sockSums(columns: BySuit<string[]>, points: BySuit<number>, words: Text['end']): SuitSum[] {
  return (Object.keys(columns) as Suit[]).map((suit) => {
    const cards = [...columns[suit]].sort((a, b) => rank(b) - rank(a));
    const socks = cards.map(kindOf).filter((kind) => /^\d+$/.test(kind));
    const count = (kind: string): number => cards.filter((card) => kindOf(card) === kind).length;
    const [doubles, turns, bans] = [count('double'), count('conversion'), count('ban')];
    const minus = points[suit] < 0;
    const why: string[] = [];
    if (bans > 0) why.push(words.banned());
    else if (socks.length === 0) {
      if (cards.length > 0) why.push(words.noSocks()); // nothing is doubled, and a 0 is no minus
    } else {
      if (doubles > 0) why.push(doubles === 1 ? words.doubled() : words.doubledN({ n: doubles }));
      if (turns === 1) why.push(words.turned());
      else if (turns > 1) why.push((minus ? words.turnedMinus : words.turnedBack)({ n: turns }));
    }
    const sum = socks.join(' + ') || '0';
    const inner = socks.length > 1 && (doubles > 0 || minus) ? `(${sum})` : sum;
    const times = socks.length > 0 ? ' × 2'.repeat(doubles) : '';
    return {
      suit,
      cards,
      sum: cards.length === 0 ? '' : (minus ? '− ' : '') + inner + times,
      why: why.join(', '),
      banned: bans > 0,
      points: points[suit],
    };
  });
}
