import { expect, test } from 'vitest';
import { step, teller } from '../games/testing';
import { whoOf } from './describe';
import { decisions } from './telling';
import { setLocale } from './i18n.svelte';

test('whoever made a move keeps the name; the seats of one device keep their numbers', async () => {
  await setLocale('en');
  const left = { ...step(1, ['draw']), name: 'Ben' };
  expect(whoOf(left, teller('some', null))).toBe('Ben');
  expect(whoOf(step(1, ['draw']), teller('some'))).toBe('Mirto');
  const device = teller('some', null, { names: ['Ada 1', 'Ada 2'], seated: ['Ada', 'Ada'] });
  expect(whoOf({ ...step(1, ['draw']), name: 'Ada' }, device)).toBe('Ada 2');
});

test('words and movers make decisions', () => {
  const found = decisions(['roll:2', 'shake:4', 'roll:3', 'split'], [null, 1, null, 1], (seat) => (seat === null ? '' : 'Mirto'));
  expect(found.map((one) => [one.seat, one.words])).toEqual([
    [null, ['roll:2']],
    [1, ['shake:4', 'roll:3']],
    [1, ['split']],
  ]);
});
