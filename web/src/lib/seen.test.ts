import { beforeEach, expect, test } from 'vitest';
import type { View } from './connection';
import { hashOf, see, sights } from './seen';

const view = (moves: string[], more: Record<string, unknown> = {}): View =>
  ({ moves, over: false, to_move: 0, scores: [], seat: 0, ...more }) as View;

beforeEach(() => localStorage.clear());

test('a hash does not hang on the order of fields, but on every card', () => {
  expect(hashOf({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(hashOf({ b: [{ d: 3, c: 2 }], a: 1 }));
  expect(hashOf({ a: 1, b: [1, 2] })).not.toBe(hashOf({ a: 1, b: [2, 1] }));
});

test('every position is kept, with the eyes that saw it', () => {
  see('t', 0, view([], { hand: [1] }));
  see('t', 0, view(['a'], { hand: [2] }));
  see('t', 0, view(['a'], { hand: [2] }));
  see('t', 0, view(['a'], { seat: 1 }));
  see('t', 0, view(['a'], { seat: null }));
  expect(sights('t', 0).map(({ moves, seat }) => [moves, seat])).toEqual([[0, 0], [1, 0], [1, 1], [1, null]]); // prettier-ignore
  expect(sights('t', 1)).toEqual([]);
});

test('what came after a move that was taken back is forgotten', () => {
  see('t', 0, view([]));
  see('t', 0, view(['a']));
  see('t', 0, view(['a', 'b']));
  see('t', 0, view(['c']));
  expect(sights('t', 0).map(({ hash }) => hash)).toEqual([hashOf(view([])), hashOf(view(['c']))]);
});
