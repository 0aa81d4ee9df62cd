/** What the table says in words. It reads the view and the offers; the rules stay with the server. */
import type { LL } from '../../lib/i18n.svelte';
import type { FaceView, LayOffer, Way } from './types';

type Texts = LL['face'];

/** What laying a card would do, on the pile it concerns. */
export function tag(t: Texts, offer: LayOffer): string {
  const n = Math.abs(offer.gap);
  if (offer.gift) return t.tag.gift({ n });
  return offer.back ? t.tag.back({ n }) : t.tag.costs({ n });
}

/** The same where there is little room. */
export function short(t: Texts, offer: LayOffer): string {
  const n = Math.abs(offer.gap);
  if (offer.gift) return t.tag.helps({ n });
  return offer.back ? t.tag.back({ n }) : t.tag.costs({ n });
}

/** How many numbers a pile can still go through. */
export function left(way: Way, top: number): number {
  return way === 'up' ? 59 - top : top - 2;
}

export interface Place {
  of: number;
  pile: Way;
}

/** Why a card that was not offered does not go on a pile, as far as the table shows it; else a neutral sentence. */
export function why(t: Texts, view: FaceView, seat: number, card: number, place: Place, name: string): string {
  const top = view.piles[place.of]![place.pile];
  const ahead = place.pile === 'up' ? card - top : top - card;
  if (place.of !== seat) {
    if (view.turn?.helped) return t.why.giftOnce({ name });
    if (top === (place.pile === 'up' ? 1 : 60)) return t.why.giftStart({ name });
    if (ahead >= 0) return place.pile === 'up' ? t.why.giftUp({ name, top }) : t.why.giftDown({ name, top });
  } else {
    if (ahead === 0) return t.why.same({ top });
    if (ahead < 0) return place.pile === 'up' ? t.why.up({ card, top }) : t.why.down({ card, top });
  }
  return t.why.neutral({ card });
}

/** Whether the top of a pile was given by the other seat: the last word that laid this number on such a pile tells. */
export function isGift(moves: readonly string[] | undefined, way: Way, top: number): boolean {
  if (!moves) return false;
  const letter = way === 'up' ? 'u' : 'd';
  return moves.lastIndexOf(letter.toUpperCase() + top) > moves.lastIndexOf(letter + top);
}
