/** What the shell gives a board, and what a board says back. The server knows the rules; a board only draws and offers. */

import type { Snippet } from 'svelte';

/** A legal move: its word, and what would follow from it (the game's own fields; see games/GAME/types.ts). */
export interface Offer {
  word: string;
  [consequence: string]: unknown;
}

/** Something that happened at the table, for animation, sound and the spoken log. */
export interface GameEvent {
  type: string;
  seat?: number;
  [detail: string]: unknown;
}

/** One of the best moves and the chance to win by it, 0 to 1. */
export interface HintMove {
  word: string;
  chance: number;
}

export interface BoardProps<V> {
  /** The seat's view: the part that stays and the `position` that changes. */
  view: V;
  /** Whose eyes; null for a spectator. */
  seat: number | null;
  /** What we may play now; [] if it is not our move. */
  legal: Offer[];
  /** Display names by seat; "you" is not substituted. */
  names: string[];
  /** Which seats a bot plays, for their pictures; a board may ignore it. */
  bots?: boolean[];
  /** What just happened; `tick` grows with each new list. */
  events: GameEvent[];
  tick: number;
  /** A move of ours is on its way: stay lively, but do not send another. */
  waiting: boolean;
  /** How many of our moves can be taken back. */
  undo: number;
  onplay: (word: string) => void;
  onundo: () => void;
  /** The best moves to mark, when asked for. */
  hint: HintMove[] | null;
  /** The list of moves, for a board that places it itself. */
  log?: Snippet | null;
  /**
   * `table`: on a big screen, which shows seats, points and the turn itself: what lies on the table, large, nothing to press.
   * `hand`: on a phone beside it: what one holds, and what to do with it. Without it everything.
   */
  part?: 'table' | 'hand' | null;
  /** Looking back, or the clock ended it: nothing is playable, and nobody is "you". */
  replay: boolean;
}

/** What a board gets that only shows a position, beside that position. */
export const ONLY_SHOWN = {
  legal: [],
  events: [],
  tick: 0,
  waiting: false,
  undo: 0,
  onplay: () => undefined,
  onundo: () => undefined,
  hint: null,
  log: null,
  replay: true,
} satisfies Partial<BoardProps<unknown>>;

/** The other seats in the order of their turns; for a spectator all. */
export function othersOf(seat: number | null, seats: number): number[] {
  const all = Array.from({ length: seats }, (_, i) => (i + (seat ?? -1) + 1) % seats);
  return seat === null ? all : all.slice(0, -1);
}
