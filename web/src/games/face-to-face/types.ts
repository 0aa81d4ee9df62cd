/** What the server says of a table of Face to Face: `Game.view`, `Game.offers` and the events of games/face_to_face/people.py. */
import type { GameEvent, Offer } from '../../lib/board';

export const WAYS = ['up', 'down'] as const;
export type Way = (typeof WAYS)[number];

export interface Turn {
  cards: number;
  helped: boolean;
  still_to_lay: number;
  may_end: boolean;
  will_draw: number;
}

export interface FaceView {
  seat: number | null;
  to_move: number | null;
  over: boolean;
  scores: number[];
  winners: number[] | null;
  ending: string | null;
  piles: Record<Way, number>[];
  /** How many numbers each pile can still go through. */
  left: Record<Way, number>[];
  hand: number[] | null;
  hand_sizes: number[];
  draw_piles: number[];
  laid: number[][];
  turn: Turn | null;
  moves?: string[];
  /** All hands, when a finished game is looked at with open cards. */
  hands?: (number[] | null)[] | null;
}

export interface LayOffer extends Offer {
  card: number;
  pile: Way;
  of: number;
  gap: number;
  back: boolean;
  gift: boolean;
}

export interface EndOffer extends Offer {
  word: 'end';
  draws: number;
}

export interface CardLaid extends GameEvent {
  type: 'card_laid';
  seat: number;
  card: number;
  pile: Way;
  of: number;
  back: boolean;
  gift: boolean;
  top_before: number;
}

export const isLay = (offer: Offer): offer is LayOffer => typeof offer.card === 'number';
export const isEnd = (offer: Offer): offer is EndOffer => offer.word === 'end';
export const isLaid = (event: GameEvent): event is CardLaid => event.type === 'card_laid';
