// @vitest-environment node
import { expect, test } from 'vitest';
import type { Replay } from './api';
import { course } from './turning';

function replay(winners: number[], ...scores: number[][]): Replay {
  const [first, ...rest] = scores;
  return {
    names: ['a', 'b'],
    bots: [false, true],
    yours: [0],
    seat: null,
    result: { scores: scores[scores.length - 1]!, winners, first: 0, ending: '' },
    view: { game: 'some', moves: [], over: false, to_move: 0, scores: first! },
    steps: rest.map((now) => ({ seat: 0, name: 'a', words: ['x'], events: [], position: { scores: now } })),
  };
}

test('the turning point is the step that took the lead for good', () => {
  expect(course(replay([0], [0, 0], [0, 3], [4, 3], [4, 5], [6, 5], [7, 5])).turning).toBe(3);
  expect(course(replay([0], [0, 0], [0, 3], [4, 3])).lines).toEqual([
    [0, 0, 4],
    [0, 3, 3],
  ]);
});

test('there is none where nobody else ever led, the win is shared, or the winner was behind', () => {
  expect(course(replay([0], [0, 0], [1, 0], [2, 0])).turning).toBe(null);
  expect(course(replay([0, 1], [0, 0], [1, 2], [2, 2])).turning).toBe(null);
  expect(course(replay([0], [0, 0], [1, 2])).turning).toBe(null);
});
