/** What the computer's players show of what just happened to them. */
import { pageOf } from '../games';
import type { GameEvent } from './board';
import { reaction } from './bots';
import type { EmoteName } from './connection';
import type { TableInfo } from './messages';

export interface Reaction {
  seat: number;
  emote: EmoteName;
}

/** How long one is seen, in milliseconds. */
export const REACTION_LASTS = 2600;

/** The reactions of a table's bots, read off the events alone: every screen sees the same. */
export function reactionsTo(table: TableInfo, events: GameEvent[]): Reaction[] {
  const mood = pageOf(table.game).mood;
  return table.seats.flatMap((one, seat) => {
    const felt = one.kind === 'bot' ? (mood?.(events, seat) ?? null) : null;
    return felt === null ? [] : [{ seat, emote: reaction(one.name, felt) }];
  });
}
