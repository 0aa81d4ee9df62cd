import { expect, test } from 'vitest';
import { GAMES } from './boards';
import { parse } from './route.svelte';

test('every address of ours leads to its page', () => {
  expect(parse('/')).toEqual({ page: 'home' });
  expect(parse('/t/abc')).toEqual({ page: 'table', id: 'abc' });
  expect(parse('/t/abc/replay')).toEqual({ page: 'replay', id: 'abc', game: 0 });
  expect(parse('/t/abc/replay/3/')).toEqual({ page: 'replay', id: 'abc', game: 3 });
  for (const game of GAMES) {
    expect(parse(`/rules/${game}`)).toEqual({ page: 'rules', game });
    expect(parse(`/learn/${game}`)).toEqual({ page: 'learn', game });
  }
});

test('every other address leads to the page that says so', () => {
  for (const path of ['/nothing', '/t', '/t/abc/x', '/t/abc/replay/x', '/t/abc/replay/1/2', '/rules/orma/more', '/%E0%A4%A', '/x.html'])
    expect(parse(path), path).toMatchObject({ page: 'lost' });
  expect(parse('/learn/chess')).toEqual({ page: 'lost', meant: 'learn', game: 'chess' });
  expect(parse('/rules/')).toEqual({ page: 'lost', meant: 'rules', game: '' });
  expect(parse('/rules/toString')).toMatchObject({ page: 'lost' });
});
