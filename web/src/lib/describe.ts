/** Moves as sentences everyone can read. What a move is called, its game says (`GamePage.deed`); no rule is known here. */
import { pageOf } from '../games';
import { capital } from './sentences';
import type { Teller, Told } from './telling';

/** Whoever made a move, as they are called here; empty for dice. */
export function whoOf({ seat, name }: Told, { LL, game, names, seated = names, you }: Teller): string {
  if (seat === null) return '';
  if (seat === you && !pageOf(game).named) return LL.you();
  return name === '' || name === seated[seat] ? (names[seat] ?? name) : name;
}

/** What somebody does, without the name: "lays 17 on the pile going up". */
export const deed = (told: Told, teller: Teller): string => pageOf(teller.game).deed(told, teller);

/** The whole sentence: "Salvia lays 17 on the pile going up". */
export function sentence(told: Told, teller: Teller): string {
  const what = deed(told, teller);
  const { says, youSay } = teller.LL.moves;
  if (told.seat === null) return capital(what);
  if (told.seat === teller.you && !pageOf(teller.game).named) return youSay({ what });
  return says({ name: whoOf(told, teller), what });
}
