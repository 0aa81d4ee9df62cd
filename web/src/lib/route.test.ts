import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadGames } from './games.svelte';
import { parse } from './route.svelte';

beforeAll(async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response(JSON.stringify([{ key: 'checkers', title: 'Checkers', players: [2], options: [], levels: [] }]))),
  );
  await loadGames();
});
afterAll(() => void vi.unstubAllGlobals());

test('every address of ours leads to its page', () => {
  expect(parse('/')).toEqual({ page: 'home' });
  expect(parse('/t/abc')).toEqual({ page: 'table', id: 'abc' });
  expect(parse('/t/abc/screen')).toEqual({ page: 'screen', id: 'abc' });
  expect(parse('/t/abc/replay')).toEqual({ page: 'replay', id: 'abc', game: 0 });
  expect(parse('/t/abc/replay/3/')).toEqual({ page: 'replay', id: 'abc', game: 3 });
  expect(parse('/rules/checkers')).toEqual({ page: 'rules', game: 'checkers' });
});

test('every other address leads to the page that says so', () => {
  for (const path of [
    '/nothing',
    '/t',
    '/t/abc/x',
    '/t/abc/screen/1',
    '/t/abc/replay/x',
    '/t/abc/replay/1/2',
    '/rules/checkers/more',
    '/%E0%A4%A',
    '/x.html',
  ])
    expect(parse(path), path).toMatchObject({ page: 'lost' });
  expect(parse('/learn/checkers'), 'a game without a lesson').toMatchObject({ page: 'lost', meant: 'learn' });
  expect(parse('/learn/chess')).toEqual({ page: 'lost', meant: 'learn', game: 'chess' });
  expect(parse('/rules/')).toEqual({ page: 'lost', meant: 'rules', game: '' });
  expect(parse('/rules/toString')).toMatchObject({ page: 'lost' });
});
