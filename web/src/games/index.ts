/** The games' pages, found by their folders. Which games there are, and in which order, the server says (`lib/games.svelte.ts`). */
import type { View } from '../lib/connection';
import type { GamePage, Standing } from './contract';

const found = import.meta.glob<GamePage>('./*/index.ts', { eager: true, import: 'default' });
const pages = new Map(Object.entries(found).map(([path, page]) => [path.split('/')[1]!, page]));

export const sprites = [...pages.values()].map((page) => page.sprite ?? '').join('');

/** The page of a game; the one for any game, if it brings none. */
export const pageOf = (game: string): GamePage => pages.get(game) ?? pages.get('any')!;

const none: Standing = { figure: null, held: null };
/** Where a seat stands, as a big screen shows it. */
export const standingOf = (game: string, view: View, seat: number): Standing =>
  (pageOf(game).standing ?? pages.get('any')!.standing)?.(view, seat) ?? none;

/** What a player's phone shows beside a big screen. */
export const handOf = (game: string) => (pageOf(game).hand ?? pages.get('any')!.hand)!();
