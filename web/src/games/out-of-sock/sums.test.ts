import { expect, test } from 'vitest';
import { LOCALES, setLocale } from '../../lib/i18n.svelte';
import { why, written } from './sums';
import { text } from './text';
import type { SuitSum } from './types';

const SUMS: [SuitSum, string][] = [
  [{ socks: [8, 2], doubled: 1, turned: 1, counts: 'minus' }, '− (8 + 2) × 2'],
  [{ socks: [4], doubled: 2, turned: 2, counts: 'plus' }, '4 × 2 × 2'],
  [{ socks: [4], doubled: 0, turned: 3, counts: 'minus' }, '− 4'],
  [{ socks: [6, 2], doubled: 0, turned: 0, counts: 'plus' }, '6 + 2'],
  [{ socks: [6], doubled: 0, turned: 1, counts: 'banned' }, '6'],
  [{ socks: [], doubled: 2, turned: 1, counts: 'nothing' }, '0'],
];

test.each(LOCALES)('%s: a sum is written as it counts, and says why', async (locale) => {
  await setLocale(locale);
  const words = text().end;
  const minus = [words.turned(), words.turnedMinus({ n: 3 })];
  for (const [sum, shown] of SUMS) {
    expect(written(sum)).toBe(shown);
    expect(minus.some((one) => why(sum, words).includes(one))).toBe(sum.counts === 'minus');
  }
});
