import { expect, test } from 'vitest';
import { reasonsOf, speaksFor, standing, verdict } from './hint';
import { i18n, LOCALES, setLocale } from './i18n.svelte';
import type { HintReason } from './messages';
import type { Teller } from './telling';

const at = (chance: number, half = 0.03) => ({ chance, low: chance - half, high: chance + half });
const tell = (): Teller => ({ LL: i18n.LL, game: 'any other', names: ['Zoe', 'Ugo'], you: 0, moves: [], legal: [] });
const move = (...reasons: HintReason[]) => ({ word: 'x', ...at(0.5), reasons });

test('ranges tell which moves are as good', () => {
  expect(standing(at(0.58), at(0.57))).toBe('same'); // its chance lies in the range of the best
  expect(standing(at(0.71), at(0.66))).toBe('near'); // only the ranges overlap
  expect(standing(at(0.71), at(0.63))).toBe('ahead');
  const bare = (chance: number) => ({ chance, low: null, high: null });
  expect(standing(bare(0.5), bare(0.5))).toBe('same');
  expect(standing(bare(0.5), bare(0.49))).toBe('ahead');
});

test('the verdict names those that come nearest, by their numbers', async () => {
  await setLocale('en');
  expect(verdict([at(0.5), at(0.49), at(0.48), at(0.3)], i18n.LL)).toBe('As good as the best: 2 and 3. The ranges overlap.');
  expect(verdict([at(0.5), at(0.45), at(0.3)], i18n.LL)).toBe('Nearly as good: 2. The ranges overlap a little.');
  expect(verdict([at(0.5), at(0.3)], i18n.LL)).toBe('Ahead of the others: no range overlaps with its own.');
  expect(verdict([at(0.5)], i18n.LL)).toBe(null);
});

test.each(LOCALES)('%s: a verdict has no gaps', async (locale) => {
  await setLocale(locale);
  for (const second of [0.49, 0.45, 0.3]) expect(verdict([at(0.5), at(second)], i18n.LL)).toMatch(/^[A-Z][^{}]{20,}\.$/);
});

test('what speaks for a move comes first, its price last, in the reader’s language', async () => {
  await setLocale('it');
  const words = {
    'reason.gives': '{seat} fa {points} {points:punto|punti} in più che dopo {other}',
    'reason.scores': 'fai {points} {points:punto|punti} in più che con {other}',
    'reason.then': 'poi {words}',
    'reason.risk': 'un rischio: {event}',
  };
  const told = reasonsOf(
    move(
      { code: 'gives', values: { seat: 1, points: 2.5, other: 'y' } },
      { code: 'then', values: { words: ['a', 'b'] } },
      { code: 'scores', values: { points: 1, other: 'y' } },
      { code: 'risk', values: { event: 'some_code', share: 9 } },
      { code: 'quite_new', values: {} },
    ),
    tell(),
    words,
  );
  expect(told.map(({ text }) => text)).toEqual(['Fai 1 punto in più che con «y».', 'Poi a, b.', 'Ugo fa 2,5 punti in più che dopo «y».']);
});

test('a price, or how the turn goes on, does not say why a move is good', () => {
  const codes = ['scores', 'denies', 'hinders', 'keeps_open', 'ends', 'then', 'forgoes', 'gives', 'risk'];
  expect(codes.filter((code) => speaksFor({ code }))).toEqual(['scores', 'denies', 'hinders', 'keeps_open', 'ends']);
});
