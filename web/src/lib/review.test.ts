import { expect, test } from 'vitest';
import type { Replay } from './api';
import { chancesBy, decisionOf, endsOf, rounded, type Account } from './review';

const even = (value: number) => ({ value, low: value, high: value });
const account = (start: number, own: number, others: number, luck: number): Account => ({
  seat: 0,
  start,
  own_errors: even(own),
  others_errors: even(others),
  luck: even(luck),
  luck_parts: {},
  end: start + own + others + luck,
  decisions: 1,
  best: 0,
  error_rate: 0,
});

test.each([
  [1 / 3, -0.2149, 0.3749, 1 - 1 / 3 + 0.2149 - 0.3749],
  [1 / 3, -0.005, 0.0049, -1 / 3 + 0.0001],
  [0.2, -1.235, 0.845, 0.19],
  [0.5, 0, 0, 0],
])('the account of a seat adds up in whole points', (start, own, others, luck) => {
  const row = rounded(account(start, own, others, luck));
  expect(row.start + row.own + row.others + row.luck).toBe(row.end);
  for (const [shown, exact] of [
    [row.own, own],
    [row.others, others],
    [row.luck, luck],
  ] as const)
    expect(Math.abs(shown - 100 * exact)).toBeLessThanOrEqual(1);
});

test('a word belongs to the decision it was played in, with the dice after it', () => {
  const steps = [['a', 'roll'], ['b'], ['c', 'roll', 'roll']].map((words) => ({ words }));
  const ends = endsOf({ steps } as unknown as Replay);
  expect(ends).toEqual([0, 2, 3, 6]);
  expect([0, 1, 2, 3, 4, 6].map((step) => decisionOf(ends, step))).toEqual([0, 1, 1, 2, 3, 3]);
  const curve = [[0.5], [0.6], [0.7], [0.8]];
  expect(chancesBy(ends, curve)).toEqual([[0.5], [0.7], [0.8]]);
});
