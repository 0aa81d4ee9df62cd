import type { Offer } from '../../lib/board';
import type { Box } from './motion';

/** What the server says of a table of Out of Sock: `view`, `offers` and `happened` of games/out_of_sock/people.py. */
export const SUITS = ['yellow', 'green', 'pink', 'red', 'orange', 'blue'] as const;
export type Suit = (typeof SUITS)[number];
export type Special = 'conversion' | 'double' | 'ban';
export const PLACES = [2, 3, 4, 5, 6, 7] as const;
export type Place = (typeof PLACES)[number];
export type BySuit<T> = Record<Suit, T>;

export interface DeckView {
  top: string | null;
  left: number;
  dice: number;
}

export interface SockView {
  game: string;
  seat: number | null;
  seats: number;
  options: { basket: 'aimed' | 'plain' | 'table'; sock_values: number[] };
  first: number;
  to_move: number | null;
  chance_due: boolean;
  over: boolean;
  scores: number[];
  winners: number[] | null;
  ending: string | null;
  /** Only a whole view has them. */
  moves?: string[];
  phase: 'shake' | 'roll' | 'choose' | 'take' | 'name' | null;
  basket_holder: number;
  aim: number | null;
  dice_fallen: number;
  decks: Record<string, DeckView>;
  columns: BySuit<string[]>[];
  suit_scores: BySuit<number>[];
  sock_cards: number[];
  tied: number[];
  /** When the game is over: how the points come about, by seat. */
  sums?: BySuit<SuitSum>[];
}

/** How the points of a suit come about. */
export interface SuitSum {
  socks: number[];
  /** How many cards double them, and how many turn them between plus and minus. */
  doubled: number;
  turned: number;
  counts: 'plus' | 'minus' | 'nothing' | 'banned';
}

export interface ShakeOffer extends Offer {
  aim: number;
  /** The chance of each number of dice, from "0" to "8". */
  chances?: Record<string, number>;
  /** The chance that so many fall that the turn is skipped. */
  skip?: number;
}

export interface WayOffer extends Offer {
  /** How many cards each seat gets by it. */
  cards: Record<string, number>;
  /** The game would end. */
  ends: boolean;
  /** Of a single: where from, and the card on top. */
  deck?: number;
  card?: string;
  /** What that card would change. */
  points?: number;
}

export interface TakeOffer extends Offer {
  deck: number;
  card: string;
  suit: Suit;
  points: number;
  ends: boolean;
}

export interface RollOffer extends Offer {
  type_in: true;
  faces: number[];
  most: number;
}

export interface NameOffer extends Offer {
  seat: number;
}

export type SockEvent =
  | { type: 'basket_shaken'; seat: number; aim: number }
  | { type: 'dice_rolled'; seat: number; dice: number[] }
  | { type: 'turn_skipped'; seat: number }
  | { type: 'way_chosen'; seat: number; way: 'split' | 'single'; deck: number | null }
  | { type: 'die_returned'; deck: number }
  | { type: 'card_taken'; seat: number; deck: number; card: string; suit: Suit }
  | { type: 'points_changed'; seat: number; suit: Suit; points: number; total: number; change: number }
  | { type: 'card_shown'; deck: number; card: string; left: number }
  | { type: 'deck_emptied'; deck: number }
  | { type: 'winner_named'; seat: number; winner: number }
  | { type: 'round_began' | 'turn_began'; seat: number };

/** A piece in the air. */
export type Flown = { id: number; from: Box; to: Box; delay: number } & ({ kind: 'card'; card: string } | { kind: 'die'; face: number });
