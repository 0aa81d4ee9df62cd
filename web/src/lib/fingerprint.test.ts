import { beforeEach, expect, test } from 'vitest';
import { answerTo, askedTwice, canonical, fingerprint, hash, judge, keep, kept, otherTerms } from './fingerprint';
import type { SealingInfo, TableInfo, Terms } from './messages';

const SECRET = '0123456789abcdef0123456789abcdef';
const PRINT = '5c19c8fdcdd5e6ba17bd0b65d1e1c0d9c1b1e5a1b0e6b8a6a1a0c6bb4a1a0f2d';
const BOB = 'b'.repeat(64);
const TERMS: Terms = { game: 'g', seats: 2, options: { size: 3, paws: [1, 2] }, first: null };
/** The table that people see here. */
const TABLE = { game: 'g', seats: [{}, {}] as TableInfo['seats'], options: { paws: [1, 2], size: 3 } };
const bound = (promise: string, seals: (string | null)[]): string => fingerprint(promise, seals, TERMS);

beforeEach(() => localStorage.clear());

const shown = (change: Partial<Parameters<typeof judge>[0]> = {}): Parameters<typeof judge>[0] => ({
  id: 'judged', playing: 0, commitment: hash(SECRET), secret: SECRET, seals: null, shares: null, terms: null, results: [], ...TABLE, ...change,
}); // prettier-ignore

function asked(change: Partial<SealingInfo> = {}): SealingInfo {
  return {
    round: 3,
    game: 0,
    promise: hash(SECRET),
    awaited: [true, true],
    seals: [null, null],
    terms: TERMS,
    fingerprint: null,
    ...change,
  };
}

/** The table while a deal is prepared, before its first game. */
const before = (sealing: SealingInfo, change: Partial<TableInfo> = {}): Parameters<typeof answerTo>[1] => ({
  sealing, playing: -1, secret: null, seals: null, terms: null, ...TABLE, ...change,
}); // prettier-ignore

/** Seal as the page does, and return what the server would say once Bob has sealed too. */
function sealed(table = 'judged'): { mine: string; ready: SealingInfo } {
  const answer = answerTo(table, before(asked()), [0], false);
  if (answer?.type !== 'seal') throw new Error('no seal');
  const seals = [answer.seal, hash(BOB)];
  return { mine: answer.seal, ready: asked({ seals, fingerprint: bound(hash(SECRET), seals) }) };
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
  keep('judged', 0, hash(SECRET), 0);
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
  const game = { id: 's', commitment: ready.fingerprint, seals: ready.seals, terms: TERMS, shares: [answer.share, BOB] };
  expect(judge(shown(game))).toBe('yours');
  expect(judge(shown({ ...game, shares: [answer.share, 'c'.repeat(64)] }))).toBe('broken');
  expect(judge(shown({ ...game, shares: [answer.share, null] }))).toBe('broken');
  const result = { scores: [0, 0], winners: [0], first: 0, ending: 'withheld' };
  expect(judge(shown({ ...game, shares: [answer.share, null], results: [result] }))).toBe('yours');
  const without = [null, hash(BOB)];
  const theirs = bound(hash(SECRET), without);
  expect(judge(shown({ ...game, commitment: theirs, seals: without, shares: [null, BOB] }))).toBe('broken');
  expect(judge(shown({ ...game, options: { ...TABLE.options, size: 4 } }))).toBe('broken');
  expect(judge(shown({ ...game, terms: { ...TERMS, first: 1 } }))).toBe('broken');
  expect(judge(shown({ ...game, terms: null }))).toBe('broken');
});

test('nothing is opened unless the own seal is among those that bind, and the fingerprint is right', () => {
  const { ready } = sealed('n');
  const other = [hash('x'), hash(BOB)];
  expect(answerTo('n', before({ ...ready, fingerprint: PRINT }), [0], false)).toBeNull();
  expect(answerTo('n', before({ ...ready, seals: other, fingerprint: bound(ready.promise, other) }), [0], false)).toBeNull();
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
  const over = { playing: 0, secret: SECRET, seals: ready.seals, terms: TERMS };
  for (const wrong of [
    before(next), // no game was played
    before(next, { ...over, playing: 1 }),
    before(next, { ...over, secret: null }),
    before(next, { ...over, secret: 'other' }),
    before(next, { ...over, seals: [hash('x'), hash(BOB)] }),
    before(next, { ...over, terms: { ...TERMS, first: 1 } }),
    before(asked({ round: 9, game: 7 }), over),
  ]) {
    expect(askedTwice('g', wrong)).toBe(true);
    expect(answerTo('g', wrong, [0], true)).toBeNull();
  }
  expect(askedTwice('g', before(next, over))).toBe(false);
  expect(answerTo('g', before(next, over), [0], false)?.type).toBe('seal');
});

test('terms are written in one way only', () => {
  expect(canonical({ b: [1, 'é', true], a: { d: null, c: 'x' } })).toBe('{"a":{"c":"x","d":null},"b":[1,"é",true]}');
  const right = hash(`tavolino/3:deal:p:-,q:{"first":null,"game":"g","options":{"paws":[1,2],"size":3},"seats":2}`);
  expect(fingerprint('p', [null, 'q'], TERMS)).toBe(right);
});

test('no share is given for another game, other options, another number of seats, or a chosen starter', () => {
  for (const wrong of [
    { ...TERMS, game: 'other' },
    { ...TERMS, seats: 3 },
    { ...TERMS, options: { size: 3 } },
    { ...TERMS, options: { size: 4, paws: [1, 2] } },
    { ...TERMS, first: 1 },
    null,
  ]) {
    expect(otherTerms('o', before(asked({ terms: wrong })))).toBe(true);
    expect(answerTo('o', before(asked({ terms: wrong })), [0], false)).toBeNull();
    const { ready } = sealed('o');
    const bent = { ...ready, terms: wrong, fingerprint: fingerprint(ready.promise, ready.seals, wrong) };
    expect(answerTo('o', before(bent), [0], false)).toBeNull();
    expect(answerTo('o', before({ ...ready, fingerprint: bent.fingerprint }), [0], false)).toBeNull();
  }
  const next = asked({ round: 9, game: 1, terms: { ...TERMS, first: 1 } });
  expect(otherTerms('p', before(next, { playing: 0 }))).toBe(false); // seats take turns after the first game
});

test('what an earlier version of the page had sealed is opened, in the form of then', () => {
  const share = 'a'.repeat(64);
  localStorage.setItem('tavolino.share.e.0', `3 ${share} 0 1700000000000`);
  const seals = [hash(share), hash(BOB)];
  const old = asked({ terms: null, seals, fingerprint: fingerprint(hash(SECRET), seals, null) });
  expect(answerTo('e', before(old), [0], false)).toEqual({ type: 'show', round: 3, share });
  expect(answerTo('e', before({ ...old, round: 4 }), [0], false)).toBeNull();
  const game = { id: 'e', commitment: old.fingerprint, seals, shares: [share, BOB] };
  expect(judge(shown(game))).toBe('yours');
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
