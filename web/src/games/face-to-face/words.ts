/** What the table says in words. It reads the view and the offers; the rules stay with the server. */
import type { Text } from './text';
import type { FaceView, LayOffer, Way } from './types';

type Texts = Text;

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

export interface Place {
  of: number;
  pile: Way;
}

/** Whether the top of a pile was given by the other seat: the last word that laid this number on such a pile tells. */
export function isGift(moves: readonly string[] | undefined, way: Way, top: number): boolean {
  if (!moves) return false;
  const letter = way === 'up' ? 'u' : 'd';
  return moves.lastIndexOf(letter.toUpperCase() + top) > moves.lastIndexOf(letter + top);
}

/** Who is who, for sentences. */
export interface Eyes {
  /** The seat that is called "you"; null for spectators and replays. */
  you: number | null;
  names: string[];
}

export const nameOf = (t: Texts, { you, names }: Eyes, seat: number): string => (seat === you ? t.you() : (names[seat] ?? ''));

/** The turn in a few words. `offers` counts the cards that could be laid; `choosing`: a pile waits for its card. */
export function headline(t: Texts, view: FaceView, eyes: Eyes, mine: boolean, offers: number, choosing: boolean): string {
  if (view.over) {
    const winner = view.winners?.[0] ?? 0;
    return winner === eyes.you ? t.over.youWin() : t.over.wins({ name: eyes.names[winner] ?? '' });
  }
  const turn = view.turn;
  if (!turn) return '';
  if (!mine) return t.turn.theirs({ name: nameOf(t, eyes, view.to_move ?? 0) });
  if (choosing) return t.turn.which();
  if (turn.still_to_lay > 0) return turn.still_to_lay > 1 ? t.turn.layTwo() : t.turn.layOne();
  const n = turn.will_draw;
  if (offers > 0) return n > 0 ? t.turn.layMore({ n }) : t.turn.layMoreNoDraw();
  return n > 0 ? t.turn.onlyEnd({ n }) : t.turn.onlyEndNoDraw();
}

/** The line below it. */
export function detail(t: Texts, view: FaceView, eyes: Eyes, mine: boolean): string {
  if (view.over) {
    if (view.ending === 'all 58 laid') return t.over.allLaid();
    if (view.ending !== 'cannot lay two') return t.over.clock();
    const loser = 1 - (view.winners?.[0] ?? 0);
    return loser === eyes.you ? t.over.youStuck() : t.over.stuck({ name: eyes.names[loser] ?? '' });
  }
  const turn = view.turn;
  if (!turn) return '';
  if (!mine) return turn.cards > 0 ? t.turn.theirsLaid({ n: turn.cards }) : t.turn.theirsNone();
  const seat = view.to_move ?? 0;
  if (view.draw_piles[seat] === 0) return t.turn.empty();
  if (turn.helped) return t.turn.gave();
  return turn.may_end ? t.turn.giftWould({ name: nameOf(t, eyes, 1 - seat) }) : t.turn.rule();
}

export function pileName(t: Texts, eyes: Eyes, { of, pile }: Place): string {
  if (of === eyes.you) return pile === 'up' ? t.say.yourUp() : t.say.yourDown();
  const name = eyes.names[of] ?? '';
  return pile === 'up' ? t.say.theirUp({ name }) : t.say.theirDown({ name });
}

const hintLabel = (t: Texts, chance: number | null): string[] => (chance === null ? [] : [t.say.hint({ n: Math.round(chance * 100) })]);

/** A pile as it is read out: whose, where it stands, what happened, what the lifted card would do. */
export function pileLabel(
  t: Texts,
  eyes: Eyes,
  place: Place,
  at: { top: number; left: number },
  more: { was: number | null; offer: LayOffer | null; chance: number | null },
): string {
  const parts = [t.say.at({ pile: pileName(t, eyes, place), top: at.top, n: at.left })];
  if (more.was !== null) parts.push(t.say.last({ n: more.was }));
  if (more.offer) parts.push(t.say.goes({ card: more.offer.card, tag: tag(t, more.offer) }));
  return [...parts, ...hintLabel(t, more.chance)].join('. ');
}

/** A card of the hand as it is read out: where it goes, and what it does there. */
export function cardLabel(t: Texts, eyes: Eyes, card: number, offers: LayOffer[], chance: number | null): string {
  const goes = offers.map((offer) => `${pileName(t, eyes, offer)}: ${tag(t, offer)}`);
  const first = offers.length ? t.say.cardFits({ card, n: offers.length }) : t.say.cardNowhere({ card });
  return [first, ...goes, ...hintLabel(t, chance)].join('. ');
}
