import { beforeEach, expect, test } from 'vitest';
import { answerTo, askedTwice, fingerprint, hash, judge, keep, kept } from './fingerprint';
import type { SealingInfo, TableInfo } from './messages';

const SECRET = '0123456789abcdef0123456789abcdef';
const PRINT = '5c19c8fdcdd5e6ba17bd0b65d1e1c0d9c1b1e5a1b0e6b8a6a1a0c6bb4a1a0f2d';
const BOB = 'b'.repeat(64);

beforeEach(() => localStorage.clear());

const shown = (change: Partial<Parameters<typeof judge>[0]> = {}): Parameters<typeof judge>[0] => ({
  id: 't', playing: 0, commitment: hash(SECRET), secret: SECRET, seals: null, shares: null, results: [], ...change,
}); // prettier-ignore

function asked(change: Partial<SealingInfo> = {}): SealingInfo {
  return { round: 3, game: 0, promise: hash(SECRET), awaited: [true, true], seals: [null, null], fingerprint: null, ...change };
}

/** The table while a deal is prepared, before its first game. */
const before = (sealing: SealingInfo, change: Partial<TableInfo> = {}): Parameters<typeof answerTo>[1] => ({
  sealing, playing: -1, secret: null, seals: null, ...change,
}); // prettier-ignore

/** Seal as the page does, and return what the server would say once Bob has sealed too. */
function sealed(table = 't'): { mine: string; ready: SealingInfo } {
  const answer = answerTo(table, before(asked()), [0], false);
  if (answer?.type !== 'seal') throw new Error('no seal');
  const seals = [answer.seal, hash(BOB)];
  return { mine: answer.seal, ready: asked({ seals, fingerprint: fingerprint(hash(SECRET), seals) }) };
}

test('hashes as crypto.subtle does', async () => {
  const right = [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('Tavolino')))];
  expect(hash('Tavolino')).toBe(right.map((byte) => byte.toString(16).padStart(2, '0')).join(''));
});

test('the first fingerprint seen is the one that counts, for each game of each table', () => {
  keep('a', 0, PRINT, 0);
  keep('a', 0, PRINT.replace('5', '6'), 3);
  keep('a', 1, PRINT.replace('5', '7'), 2);
  expect(kept('a', 0)).toEqual({ print: PRINT, moves: 0 });
  expect(kept('a', 1)).toEqual({ print: PRINT.replace('5', '7'), moves: 2 });
  expect(kept('b', 0)).toBeNull();
});

test('a secret is judged by what was kept, not by what comes beside it', () => {
  expect(judge(shown())).toBe('alone');
  expect(judge(shown({ commitment: PRINT }))).toBe('broken');
  keep('t', 0, hash(SECRET), 0);
  expect(judge(shown())).toBe('fits');
  expect(judge(shown({ secret: 'other', commitment: hash('other') }))).toBe('broken');
  keep('u', 0, hash(SECRET), 4);
  expect(judge(shown({ id: 'u' }))).toBe('late');
});

test('a share is sealed first, and opened once everyone is bound; then it must be in the game', () => {
  const { mine, ready } = sealed('s');
  const answer = answerTo('s', before(ready), [0], false);
  if (answer?.type !== 'show') throw new Error('not opened');
  expect(hash(answer.share)).toBe(mine);
  expect(kept('s', 0)).toEqual({ print: ready.fingerprint, moves: 0 });
  const game = { id: 's', commitment: ready.fingerprint, seals: ready.seals, shares: [answer.share, BOB] };
  expect(judge(shown(game))).toBe('yours');
  expect(judge(shown({ ...game, shares: [answer.share, 'c'.repeat(64)] }))).toBe('broken');
  expect(judge(shown({ ...game, shares: [answer.share, null] }))).toBe('broken');
  const result = { scores: [0, 0], winners: [0], first: 0, ending: 'withheld' };
  expect(judge(shown({ ...game, shares: [answer.share, null], results: [result] }))).toBe('yours');
  const without = [null, hash(BOB)];
  const theirs = fingerprint(hash(SECRET), without);
  expect(judge(shown({ id: 's', commitment: theirs, seals: without, shares: [null, BOB] }))).toBe('broken');
});

test('nothing is opened unless the own seal is among those that bind, and the fingerprint is right', () => {
  const { ready } = sealed('n');
  const other = [hash('x'), hash(BOB)];
  expect(answerTo('n', before({ ...ready, fingerprint: PRINT }), [0], false)).toBeNull();
  expect(answerTo('n', before({ ...ready, seals: other, fingerprint: fingerprint(ready.promise, other) }), [0], false)).toBeNull();
  expect(answerTo('n', before(ready), [], false)).toBeNull();
  expect(kept('n', 0)).toBeNull();
});

test('a second share of the same game is refused once one was opened', () => {
  const { ready } = sealed('r');
  expect(answerTo('r', before(asked({ round: 5 })), [0], false)?.type).toBe('seal'); // nothing was opened yet
  const again = sealed('u');
  expect(answerTo('u', before(again.ready), [0], false)?.type).toBe('show');
  expect(askedTwice('u', before(asked({ round: 5 })))).toBe(true);
  expect(answerTo('u', before(asked({ round: 5 })), [0], false)).toBeNull();
  expect(askedTwice('u', before(ready))).toBe(false); // asked again for the same one, which may not have arrived
  expect(answerTo('u', before(again.ready), [0], true)?.type).toBe('show');
});

test('another game is no way to a second share: the one before must be over, and open', () => {
  const { ready } = sealed('g');
  const answer = answerTo('g', before(ready), [0], false);
  if (answer?.type !== 'show') throw new Error('not opened');
  const next = asked({ round: 9, game: 1 });
  const over = { playing: 0, secret: SECRET, seals: ready.seals };
  for (const wrong of [
    before(next), // no game was played
    before(next, { ...over, playing: 1 }),
    before(next, { ...over, secret: null }),
    before(next, { ...over, secret: 'other' }),
    before(next, { ...over, seals: [hash('x'), hash(BOB)] }),
    before(asked({ round: 9, game: 7 }), over),
  ]) {
    expect(askedTwice('g', wrong)).toBe(true);
    expect(answerTo('g', wrong, [0], true)).toBeNull();
  }
  expect(askedTwice('g', before(next, over))).toBe(false);
  expect(answerTo('g', before(next, over), [0], false)?.type).toBe('seal');
});

test('a device that comes later takes over a share that another sealed, until all are sealed', () => {
  const elsewhere = asked({ awaited: [false, true], seals: [hash('x'), null] });
  expect(answerTo('d', before(elsewhere), [0], false)).toBeNull();
  expect(answerTo('d', before(elsewhere), [0], true)?.type).toBe('seal');
});

test('the oldest are forgotten', () => {
  for (let game = 0; game < 320; game++) keep('c', game, PRINT, 0);
  expect(localStorage.length).toBe(300);
});
