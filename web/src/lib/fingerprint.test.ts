import { beforeEach, expect, test } from 'vitest';
import { judge, keep, kept } from './fingerprint';

const SECRET = '0123456789abcdef0123456789abcdef';
const PRINT = '5c19c8fdcdd5e6ba17bd0b65d1e1c0d9c1b1e5a1b0e6b8a6a1a0c6bb4a1a0f2d';
const hash = async (text: string) =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

beforeEach(() => localStorage.clear());

test('the first fingerprint seen is the one that counts, for each game of each table', () => {
  keep('a', 0, PRINT, 0);
  keep('a', 0, PRINT.replace('5', '6'), 3);
  keep('a', 1, PRINT.replace('5', '7'), 2);
  expect(kept('a', 0)).toEqual({ print: PRINT, moves: 0 });
  expect(kept('a', 1)).toEqual({ print: PRINT.replace('5', '7'), moves: 2 });
  expect(kept('b', 0)).toBeNull();
});

test('a secret is judged by what was kept, not by what comes beside it', async () => {
  const print = await hash(SECRET);
  const other = await hash('other');
  expect(judge(SECRET, print, { print, moves: 0 })).toBe('fits');
  expect(judge(SECRET, print, { print, moves: 4 })).toBe('late');
  expect(judge(SECRET, print, null)).toBe('alone');
  expect(judge(SECRET, other, null)).toBe('broken');
  expect(judge('other', other, { print, moves: 0 })).toBe('broken');
});

test('the oldest are forgotten', () => {
  for (let game = 0; game < 320; game++) keep('c', game, PRINT, 0);
  expect(localStorage.length).toBe(300);
});
