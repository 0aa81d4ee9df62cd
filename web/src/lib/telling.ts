/** What there is to tell of a move, and to whom: shared by the shell (describe.ts) and the games, which put it into words. */
import type { GameEvent, Offer } from './board';
import type { LL } from './i18n.svelte';

/** One decision, with the dice that fell after it: a line of the log. */
export interface Told {
  seat: number | null;
  /** Of whoever sat there then. */
  name: string;
  words: string[];
  /** What the server told about it; null while we do not know. */
  events: GameEvent[] | null;
}

export interface Teller {
  LL: LL;
  game: string;
  /** As shown here, by seat. */
  names: string[];
  /** Who sits there now, as the server calls them: whoever made a move under another name keeps that one. */
  seated?: string[];
  /** The seat that is "you"; null for spectators. */
  you: number | null;
  /** What we may do now, where moves are told that are not played yet. */
  legal?: Offer[];
  /** All words of the game, from its first move on. */
  moves: string[];
  /** Whether it will be read aloud: then signs have words. */
  aloud?: boolean;
}

export const SPACE = '\u00a0'; // what stays on one line
export const DOT = ` ·${SPACE}`;

/** Points won or lost, with their sign; nothing of nothing. */
export const signed = (points: number): string[] => (points === 0 ? [] : [points > 0 ? `+${points}` : `−${-points}`]);

/** Moves and who made them (null: dice), a decision each with the dice that fell after it. */
export function decisions(words: string[], movers: (number | null)[], name: (seat: number | null) => string): Told[] {
  const found: Told[] = [];
  words.forEach((word, i) => {
    const seat = movers[i] ?? null;
    const last = found[found.length - 1];
    if (seat === null && last) last.words.push(word);
    else found.push({ seat, name: name(seat), words: [word], events: null });
  });
  return found;
}
