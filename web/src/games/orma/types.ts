/** What a seat sees of an Orma table (`Game.view`), the moves it may make and what it is told, as the server sends them. */
import type { GameEvent, Offer } from '../../lib/board';

export const COLOURS = ['black', 'green', 'red', 'yellow', 'blue', 'violet'] as const;
export type Colour = (typeof COLOURS)[number];
export type Hand = Record<Colour, number>;

export interface OrmaView {
  seats: number;
  to_move: number | null;
  over: boolean;
  scores: number[];
  winners: number[] | null;
  ending: string | null;
  moves: string[];
  blacks: { rows: number[]; may_start: Colour[] }[];
  rows: { colour: Colour; length: number; from: number; to: number | null }[];
  hand: Hand | null;
  hand_sizes: number[];
  stack: number;
  drawing: boolean;
  drawn: Colour | null;
  passes: number;
  /** Looking back with all hands open. */
  hands?: Hand[];
}

/** `green@r3`, `black@r3`, `green@b0`. */
export interface LayOffer extends Offer {
  colour: Colour;
  /** `r3` or `b0`. */
  place: string;
  points: number;
  closes: boolean;
  /** It is the last token of the hand. */
  ends: boolean;
}

export function isLay(offer: Offer): offer is LayOffer {
  return typeof offer.place === 'string';
}

export interface TokenLaid extends GameEvent {
  seat: number;
  colour: Colour;
  place: string;
  row: number;
  length: number;
}

/** A place to choose on the ground: a lit one says what it gives, others only that something may go there. */
export interface Mark {
  place: string;
  colour: Colour | null;
  text: string | null;
  closes: boolean;
  lit: boolean;
  /** Its rank among the hints. */
  hint: number | null;
  /** To win by it, in percent, if it is a hint. */
  chance: number | null;
  label: string;
}
