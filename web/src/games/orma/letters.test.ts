import { expect, test } from 'vitest';
import { lettersOf, openPlaces } from './letters';
import type { OrmaView } from './types';

test('a place keeps its letter while it lives, and a letter that is free again goes to the next', () => {
  const words = ['green@b0', 'draw', 'keep', 'green@r0', 'red@b0', 'black@r0', 'blue@b1'];
  expect(Object.fromEntries(lettersOf(words.slice(0, 5)))).toEqual({ b0: 'A', r0: 'B', r1: 'C' });
  expect(Object.fromEntries(lettersOf(words))).toEqual({ b0: 'A', r1: 'C', b1: 'B', r2: 'D' });
  expect(lettersOf(['green@b0', ...Array.from({ length: 30 }, (_, i) => `red@b${i}`)]).get('r30')).toBe('AF');
});

test('only what is open is called by its letter', () => {
  const rows = [
    { colour: 'green', length: 2, from: 0, to: 1 },
    { colour: 'red', length: 1, from: 0, to: null },
  ];
  const blacks = [
    { rows: [0, 1], may_start: [] },
    { rows: [0], may_start: ['blue'] },
  ];
  const view = { rows, blacks, moves: ['green@b0', 'green@r0', 'red@b0', 'black@r0'] } as unknown as OrmaView;
  expect(openPlaces(view)).toEqual([
    { place: 'b1', letter: 'B' },
    { place: 'r1', letter: 'C' },
  ]);
});
