/**
 * The coach of a first game, whose help fades: for the first turns it says what to play and why, then it speaks only
 * before a clearly worse move, then not at all. What it knows are hints; no game and no rule is known here.
 */
import { openTable } from './api';
import { company } from './games.svelte';
import { standing } from './hint';
import type { HintMove } from './messages';
import { forget, remember, remembered } from './storage';
import type { Told } from './telling';

/** Turns in which it says what to play, and after these the turns in which it only warns. */
export const SHOWN = 3;
export const WARNED = 5;
/** What a move must cost of the chance to win to be worth a word. */
const COSTLY = 0.08;

export type Help = 'show' | 'warn' | 'none';

const keyOf = (table: string): string => `coach.${table}`;

/** Open a table with an easy opponent and a coach. */
export async function openCoached(game: string, name: string): Promise<string> {
  const id = await openTable(name, { game, seats: ['me', ...company(game, 'bot:easy' as const)] });
  remember(keyOf(id), 'on');
  return id;
}

export const isCoached = (table: string): boolean => remembered(keyOf(table)) === 'on';
export const dismiss = (table: string): void => forget(keyOf(table));

/** Which turn of a seat it is, from 1 on: moves in a row are one turn. */
export function turnOf(told: Told[], seat: number | null): number {
  const movers = told.filter((one) => one.seat !== null).map((one) => one.seat);
  const before = movers.filter((mover, i) => mover === seat && movers[i + 1] !== seat && i < movers.length - 1);
  return before.length + 1;
}

export const helpAt = (turn: number): Help => (turn <= SHOWN ? 'show' : turn <= SHOWN + WARNED ? 'warn' : 'none');

/** The best move, if the one that is about to be played is clearly worse; of a move without a chance, the last one's is the most. */
export function betterThan(word: string, hint: HintMove[] | null): HintMove | null {
  const best = hint?.[0];
  const meant = hint?.find((move) => move.word === word) ?? hint?.at(-1);
  if (!best || !meant || best.word === word || meant === best) return null;
  return standing(best, meant) === 'ahead' && best.chance - meant.chance >= COSTLY ? best : null;
}
