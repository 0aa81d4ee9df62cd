/** What is marked on the ground: where the chosen token, or one of a hint, may go, and what it would bring there. */
import type { HintMove } from '../../lib/board';
import type { Text } from './text';
import type { Colour, LayOffer, Mark, OrmaView } from './types';
import { sayOffer, sayPlace } from './words';

/** One mark for each place: of the `chosen` colour; without one, of the best hint, or of the place `spot` alone. */
export function marksOf(t: Text, view: OrmaView, lays: LayOffer[], chosen: Colour | null, spot: string | null, hints: HintMove[]): Mark[] {
  const found = new Map<string, Mark>();
  for (const offer of lays) {
    if (chosen ? offer.colour !== chosen : found.get(offer.place)?.lit) continue;
    const at = hints.findIndex(({ word }) => word === offer.word);
    const hint = at < 0 ? null : at + 1;
    const chance = at < 0 ? null : Math.round(hints[at]!.chance * 100);
    const told = chosen !== null || (hint !== null && !spot);
    const label = told ? sayOffer(t, view, offer) : sayPlace(t, view, offer.place);
    found.set(offer.place, {
      place: offer.place,
      colour: told ? offer.colour : null,
      text: told && !offer.closes ? `+${offer.points}` : null,
      closes: told && offer.closes,
      lit: told || offer.place === spot,
      hint,
      chance,
      label: hint && told ? `${label}, ${t.say.hint({ n: hint, chance: chance! })}` : label,
    });
  }
  return [...found.values()];
}

/** The best rank that a hint gives a token of each colour. */
export function ranksByColour(lays: LayOffer[], ranks: Map<string, number>): Map<Colour, number> {
  const found = new Map<Colour, number>();
  for (const { word, colour } of lays) {
    const rank = ranks.get(word);
    if (rank && rank < (found.get(colour) ?? Infinity)) found.set(colour, rank);
  }
  return found;
}
