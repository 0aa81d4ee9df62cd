import { beforeAll, expect, test } from 'vitest';
import { i18n, setLocale } from './i18n.svelte';
import { namesOf } from './names';
import { resultOf } from './past';

const past = { number: 0, game: 'any other', at: 0, names: ['Ada', 'Ben', 'Zoe'], you: [0], scores: [3, 1, 2], winners: [0], ending: '' };
const say = (what: Partial<typeof past>): string => resultOf({ ...past, ...what }, i18n.LL);
beforeAll(() => setLocale('en'));

test('a game that was not dealt was won by nobody with points', () => {
  expect(say({ scores: [0, 0, 0], winners: [0, 2], ending: 'withheld' })).toBe('Not dealt: Ben did not open a share of the chance.');
});

test('a game that the clock decided names who ran out of time', () => {
  expect(say({ winners: [0, 2], ending: 'clock' })).toBe('Ben ran out of time.');
  expect(say({ winners: [1, 2], ending: 'clock' })).toBe('You ran out of time.');
});

test('several people on one device are named', () => {
  expect(say({})).toBe('You won with 3 points!');
  expect(say({ scores: [-3, -4, -5] })).toBe('You won with −3 points!');
  expect(say({ you: [0, 1] })).toBe('Ada won with 3 points.');
  const seat = (name: string, you: boolean) => ({ kind: 'person', name, you });
  const table = (...names: string[]) => ({ seats: [...names.map((name) => seat(name, true)), seat('Ada', false)] }) as never;
  expect(namesOf(table('Ada', 'Zoe'), i18n.LL)).toEqual(['Ada', 'Zoe', 'Ada']);
  expect(namesOf(table('Ada', 'Ada'), i18n.LL)).toEqual(['Ada 1', 'Ada 2', 'Ada']);
});
