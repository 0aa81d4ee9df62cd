// @vitest-environment node
/** Nothing outside a game's folder names the game: not its key, not its module, not its title. */
import { expect, test } from 'vitest';
import type { GamePage } from './contract';

const sources = import.meta.glob<string>(['../**/*.{ts,svelte,css,svg,json}', '../../index.html'], {
  eager: true,
  query: '?raw',
  import: 'default',
});
const titles = import.meta.glob<string>('./*/index.ts', { eager: true, query: '?raw', import: 'default' });
const games = Object.entries(titles)
  .map(([path, source]) => ({ key: path.split('/')[1]!, title: /^  title: '(.+)',$/m.exec(source)?.[1] satisfies GamePage['title'] }))
  .filter(({ key }) => key !== 'any');

test('there are games, with a title each', () => {
  expect(games.length).toBeGreaterThan(2);
  for (const { key, title } of games) expect(title, key).toBeTruthy();
});

test.each(games)('$key is named in its own folder only', ({ key, title }) => {
  const names = [key, key.replaceAll('-', '_'), key.replaceAll('-', ''), title!].map((name) => name.replace(/[^\w\s-]/g, '\\$&'));
  const named = new RegExp(`(?<![\\w-])(${names.join('|')})(?![\\w])`, 'i');
  const places = Object.entries(sources).filter(([path, source]) => !path.startsWith(`./${key}/`) && named.test(source));
  expect(places.map(([path, source]) => `${path}: ${named.exec(source)![0]}`)).toEqual([]);
});
