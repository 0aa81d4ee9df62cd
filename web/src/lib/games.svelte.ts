/** The games that the server has, in its order, and their names. */
import { pageOf } from '../games';
import { listGames, type GameInfo } from './api';
import { textOf } from './texts.svelte';

let all = $state.raw<GameInfo[]>([]);

export const games = {
  /** Empty until the server has answered. */
  get all(): GameInfo[] {
    return all;
  },
};

export async function loadGames(): Promise<void> {
  all = await listGames();
}

/** As many others as a game needs at least. */
export const company = <T>(game: string, other: T): T[] =>
  Array<T>(Math.max(1, Math.min(...(infoOf(game)?.players ?? [2])) - 1)).fill(other);

export const infoOf = (game: string): GameInfo | undefined => all.find((one) => one.key === game);
export const titleOf = (game: string): string => pageOf(game).title ?? textOf(game)?.title ?? infoOf(game)?.title ?? game;
