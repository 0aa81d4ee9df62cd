// What screen readers hear of places and rows; people count them from 1.

import type { Offer } from '../../lib/board';
import type { Text } from './text';
import type { Colour, LayOffer, OrmaView } from './types';

type Words = Text;

/** A capital at the start of a sentence, whatever the language begins it with. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function sayOffer(t: Words, view: OrmaView, offer: LayOffer): string {
  const number = Number(offer.place.slice(1));
  const colour = t.colour[offer.colour]();
  let text: string;
  if (offer.place[0] === 'b') {
    const third = view.blacks[number]?.rows.length === 2;
    text = (third ? t.say.startThird : t.say.start)({ colour, paw: number + 1 });
  } else {
    const row = view.rows[number]!;
    const about = { row: number + 1, length: row.length, paw: row.from + 1 };
    if (offer.closes) text = t.say.close({ ...about, colour: t.colour[row.colour]() });
    else text = t.say[offer.points === 1 ? 'longerOne' : 'longer']({ ...about, colour, points: offer.points });
  }
  return sentence(offer.ends ? `${text}, ${t.say.ends()}` : text);
}

export function sayPlace(t: Words, view: OrmaView, place: string): string {
  const number = Number(place.slice(1));
  if (place[0] === 'b') return sentence(t.say.blackPlace({ paw: number + 1 }));
  const row = view.rows[number]!;
  return sentence(t.say.rowPlace({ colour: t.colour[row.colour](), row: number + 1, length: row.length, paw: row.from + 1 }));
}

/** The whole table as a list: each black token, then each row. */
export function sayTable(t: Words, view: OrmaView): string[] {
  const blacks = view.blacks.map((black, at) => {
    const paw = at + 1;
    if (!black.may_start.length) return black.rows.length < 2 ? t.say.paw({ paw }) : t.say.pawFull({ paw });
    return (black.rows.length === 2 ? t.say.pawThird : t.say.pawMay)({ paw });
  });
  const rows = view.rows.map(({ colour, length, from, to }, row) => {
    const about = { colour: t.colour[colour](), row: row + 1, length, paw: from + 1 };
    return to === null ? t.say.rowOpen(about) : t.say.rowClosed({ ...about, to: to + 1 });
  });
  return [...blacks, ...rows].map(sentence);
}

/** Who has won, and with how many points; `you` is the seat that is called so. */
export function sayEnd(t: Words, view: OrmaView, names: string[], you: number | null): string {
  const winners = view.winners ?? [];
  const n = winners.length ? view.scores[winners[0]!]! : Math.max(...view.scores);
  if (winners.length === 1) return winners[0] === you ? t.turn.youWin({ n }) : t.turn.wins({ name: names[winners[0]!] ?? '', n });
  const called = winners.map((who) => (who === you ? t.you() : (names[who] ?? '')));
  return t.turn.share({ names: called.reduce((one, next) => t.turn.and({ one, other: next })), n });
}

/** Whose turn it is, while another one thinks. */
export function sayTheirs(t: Words, view: OrmaView, names: string[]): string {
  const name = view.to_move === null ? '' : (names[view.to_move] ?? '');
  return view.drawing ? t.turn.theirsDrew({ name }) : t.turn.theirs({ name });
}

/** What to do in one's own turn, by what was drawn, what can be laid, and what is chosen already. */
export function sayMine(
  t: Words,
  drawn: Colour | null,
  lays: LayOffer[],
  legal: Offer[],
  { chosen, spot }: { chosen: Colour | null; spot: string | null },
): string {
  if (drawn) return (lays.length ? t.turn.drew : t.turn.keep)[drawn]();
  if (lays.some(({ ends }) => ends)) return t.turn.lastToken();
  if (chosen) return t.turn.where[chosen]();
  if (spot) return t.turn.which();
  const pass = legal.some(({ word }) => word === 'pass');
  if (!lays.length) return pass ? t.turn.onlyPass() : t.turn.onlyDraw();
  return pass ? t.turn.chooseLast() : t.turn.choose();
}
