/** What the server says of a table of Out of Sock: `view`, `offers` and `happened` of games/out_of_sock.py. */
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
  moves: string[];
  phase: 'shake' | 'roll' | 'choose' | 'take' | 'name' | null;
  basket_holder: number;
  aim: number | null;
  dice_fallen: number;
  decks: Record<string, DeckView>;
  columns: BySuit<string[]>[];
  suit_scores: BySuit<number>[];
  sock_cards: number[];
  tied: number[];
}
