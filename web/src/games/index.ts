/** The games' pages, found by their folders. Which games there are, and in which order, the server says (`lib/games.svelte.ts`). */
import type { GamePage } from './contract';

const found = import.meta.glob<GamePage>('./*/index.ts', { eager: true, import: 'default' });
const pages = new Map(Object.entries(found).map(([path, page]) => [path.split('/')[1]!, page]));

export const sprites = [...pages.values()].map((page) => page.sprite ?? '').join('');

/** The page of a game; the one for any game, if it brings none. */
export const pageOf = (game: string): GamePage => pages.get(game) ?? pages.get('any')!;
