import { expect, test } from 'vitest';
import { LOCALES, setLocale } from '../../lib/i18n.svelte';
import { sockSums } from './sums';
import { text } from './text';
import { SUITS, type Suit } from './types';

const SPECIALS = ['double', 'double', 'conversion', 'conversion', 'conversion', 'ban'];

/** Every choice of a suit's special cards, with no sock, one and two. */
function* columns(): Generator<string[]> {
  for (let mask = 0; mask < 2 ** SPECIALS.length; mask++)
    for (const socks of [[], ['4'], ['2', '8']]) yield [...SPECIALS.filter((_, i) => (mask >> i) & 1), ...socks];
}

function pointsOf(kinds: string[]): number {
  if (kinds.includes('ban')) return 0;
  const socks = kinds.reduce((sum, kind) => sum + (Number(kind) || 0), 0);
  const count = (one: string) => kinds.filter((kind) => kind === one).length;
  return socks * 2 ** count('double') * (-1) ** count('conversion') || 0;
}

test.each(LOCALES)('%s: a minus is said of what is below zero, and of nothing else', async (locale) => {
  await setLocale(locale);
  const words = text().end;
  const minus = [words.turned(), words.turnedMinus({ n: 3 })];
  for (const kinds of columns()) {
    const none = Object.fromEntries(SUITS.map((suit) => [suit, [] as string[]])) as Record<Suit, string[]>;
    const points = pointsOf(kinds);
    const [row] = sockSums({ ...none, yellow: kinds.map((kind) => `yellow:${kind}`) }, { yellow: points } as never, words);
    expect(
      minus.some((text) => row!.why.includes(text)),
      kinds.join(),
    ).toBe(points < 0);
    expect(row!.sum.startsWith('−'), kinds.join()).toBe(points < 0);
    if (points === 0 && kinds.length > 0) expect(row!.why, kinds.join()).not.toBe('');
  }
});
