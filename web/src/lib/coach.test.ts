import { describe, expect, test } from 'vitest';
import { betterThan, helpAt, SHOWN, turnOf, WARNED } from './coach';
import type { HintMove } from './messages';
import type { Told } from './telling';

const told = (...seats: (number | null)[]): Told[] => seats.map((seat) => ({ seat, name: '', words: ['x'], events: [] }));
const move = (word: string, chance: number, half = 0.01): HintMove => ({
  word,
  chance,
  low: chance - half,
  high: chance + half,
  reasons: [],
});

describe('which turn it is', () => {
  test('moves in a row are one turn, and dice belong to nobody', () => {
    expect(turnOf([], 0)).toBe(1);
    expect(turnOf(told(0, 0), 0)).toBe(1); // still the first
    expect(turnOf(told(0, 0, 1), 0)).toBe(2);
    expect(turnOf(told(1, 0, null, 0, 1, 1, 0), 0)).toBe(2);
    expect(turnOf(told(0, 1, 0, 1), 0)).toBe(3);
  });

  test('help fades', () => {
    expect([1, SHOWN, SHOWN + 1, SHOWN + WARNED, SHOWN + WARNED + 1].map(helpAt)).toEqual(['show', 'show', 'warn', 'warn', 'none']);
  });
});

describe('a warning', () => {
  const hint = [move('a', 0.6), move('b', 0.59), move('c', 0.4)];

  test('comes only before a clearly worse move', () => {
    expect(betterThan('a', hint)).toBeNull();
    expect(betterThan('b', hint)).toBeNull();
    expect(betterThan('c', hint)?.word).toBe('a');
  });

  test('takes a move that the hint does not list for no better than its last', () => {
    expect(betterThan('z', hint)?.word).toBe('a');
    expect(betterThan('z', hint.slice(0, 2))).toBeNull();
  });

  test('needs a hint, and a difference that is no chance', () => {
    expect(betterThan('c', null)).toBeNull();
    expect(betterThan('c', [])).toBeNull();
    expect(betterThan('c', [move('a', 0.6, 0.2), move('c', 0.4, 0.2)])).toBeNull();
  });
});
