/** A game's own words, from the server (`text/words.LANG.md`); what it does not say is its own code, written plainly. */
import type { Offer } from '../../lib/board';
import { DOT, type Teller, type Told } from '../../lib/telling';
import { textOf } from '../../lib/texts.svelte';
import { fill, plain } from '../../lib/sentences';
import { verbOf } from './model';
import { text } from './text';

/** A sentence of the game, with its values; null if it has none. */
export function said(game: string, key: string, values: Record<string, unknown> = {}, names: string[] = []): string | null {
  const words = textOf(game)?.words ?? {};
  return words[key] === undefined ? null : fill(words[key], values, names, words);
}

/** The fields of a view that only a seat may know. */
export const ownOf = (game: string): string[] => textOf(game)?.own ?? [];

export const labelOf = (game: string, key: string): string => textOf(game)?.words[`label.${key}`] ?? plain(key);

export function valueOf(game: string, value: string | number | boolean): string {
  const known = textOf(game)?.words[`value.${value}`];
  if (known !== undefined) return known;
  return typeof value === 'boolean' ? (value ? text().yes() : text().no()) : plain(String(value)).replace(/^-(?=\d)/, '−');
}

export const verbName = (game: string, verb: string): string => textOf(game)?.words[`value.${verb}`] ?? plain(verb);

export const offerWords = (game: string, offer: Offer, names: string[]): string =>
  said(game, `offer.${verbOf(offer)}`, offer, names) ?? plain(offer.word.replace(/[:@]/g, ' '));

export const offerThen = (game: string, offer: Offer, names: string[]): string =>
  said(game, `offer.${verbOf(offer)}.then`, offer, names) ?? '';

/** What happened, as the events tell it; the mover's name, which begins most of them, is the shell's to say. */
export function deed({ seat, words, events }: Told, { game, names, legal }: Teller): string {
  const offer = events === null ? legal?.find(({ word }) => word === words[0]) : undefined;
  if (offer) return offerWords(game, offer, names);
  const mover = seat === null ? '' : (names[seat] ?? '');
  const told = (events ?? []).flatMap((event) => said(game, `event.${event.type}`, event, names) ?? []);
  if (told.length === 0) return words.map((word) => plain(word.replace(/[:@]/g, ' '))).join(DOT);
  if (mover && told[0]!.startsWith(`${mover} `)) told[0] = told[0]!.slice(mover.length + 1);
  return told.map((one) => one.replace(/\.$/, '')).join(DOT);
}
