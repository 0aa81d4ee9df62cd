/** What plain data of a view is shown as. No rule is known here: only the shapes of values. */
import type { Offer } from '../../lib/board';

export type Dict = Record<string, unknown>;

/** A thing of the view, as it is drawn. */
export type Part =
  /** With `who`, its number is a seat, whatever its key. */
  | { kind: 'value'; key: string; value: string | number | boolean; who?: boolean }
  | { kind: 'pieces'; key: string; pieces: unknown[] }
  /** Values that belong together, with the seat they are of. */
  | { kind: 'group'; key: string; seat: number | null; parts: Part[] };

export interface Seated {
  numbers: { key: string; value: number }[];
  /** How many pieces lie hidden there; null if that is not told. */
  hidden: number | null;
  parts: Part[];
}

export interface Areas {
  seats: Seated[];
  table: Part[];
  yours: Part[];
}

/** A piece: its number and its kind, as far as it has them; `text` says both. */
export interface Face {
  number: string | null;
  kind: string | null;
  text: string;
}

/** What every view has; the shell and the turn show it. */
const COMMON = new Set(
  'game seat seats options first to_move chance_due over scores winners ending moves hands own_views'.split(' '), // prettier-ignore
);
const SIZES = /_(sizes|counts)$/;

const isPlain = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);
const isDict = (value: unknown): value is Dict => typeof value === 'object' && value !== null && !Array.isArray(value);
const isFace = (value: unknown): boolean =>
  isPlain(value) || (isDict(value) && !('seat' in value) && Object.values(value).every(isPlain) && Object.keys(value).length <= 2);

/** Two pieces are the same if they are written so. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export function faceOf(piece: unknown): Face {
  const text = isDict(piece) ? Object.values(piece).join(' ') : String(piece);
  const found = /^(-?\d+)[\s:_-]*(\D+)$/.exec(text) ?? /^(\D*[^\d\s:_-])[\s:_-]*(\d+)$/.exec(text);
  if (/^-?\d+$/.test(text)) return { number: text.replace('-', '−'), kind: null, text };
  if (!found) return { number: null, kind: typeof piece === 'boolean' ? null : text, text };
  const [number, kind] = /\d/.test(found[1]!) ? [found[1]!, found[2]!] : [found[2]!, found[1]!];
  return { number, kind: kind.trim(), text };
}

/** What each seat has of a value: a list with one entry a seat, or entries by their numbers. */
function bySeat(value: unknown, seats: number): unknown[] | null {
  if (Array.isArray(value)) return value.length === seats && !value.some((one) => isDict(one) && 'seat' in one) ? value : null;
  if (!isDict(value) || Object.keys(value).length !== seats) return null;
  const found = Array.from({ length: seats }, (_, seat) => value[String(seat)]);
  return found.includes(undefined) ? null : found;
}

/** A word with a number and a kind is a piece, alone as well as in a list. */
const isCard = (value: unknown): boolean => typeof value === 'string' && faceOf(value).number !== null && faceOf(value).kind !== null;

function partOf(key: string, value: unknown, seats: number): Part | null {
  if (isPlain(value)) return isCard(value) ? { kind: 'pieces', key: '', pieces: [value] } : { kind: 'value', key, value };
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    if (value.every(isFace)) return { kind: 'pieces', key, pieces: value };
    const each = value.every(Array.isArray) && value.length === seats; // what each seat has, or had
    const parts = value.flatMap((one, i) => (each ? group('', [['seat', i], ['', one]], seats) : partOf('', one, seats)) ?? []); // prettier-ignore
    return parts.length === 0 ? null : { kind: 'group', key, seat: null, parts };
  }
  return isDict(value) ? group(key, Object.entries(value), seats) : null;
}

function group(key: string, entries: [string, unknown][], seats: number): Part | null {
  const seat = entries.find(([name, value]) => name === 'seat' && typeof value === 'number')?.[1] as number | undefined;
  const parts = entries.filter(([name]) => name !== 'seat').flatMap(([name, value]) => partOf(name, value, seats) ?? []);
  if (seat !== undefined && entries.length === 1) return { kind: 'value', key, value: seat, who: true };
  return parts.length === 0 ? null : { kind: 'group', key, seat: seat ?? null, parts };
}

/** Whether a part is a few values or pieces and nothing deeper: that may be drawn large. */
export const isFlat = (part: Part): boolean =>
  part.kind === 'pieces' ? part.pieces.length <= 6 : part.kind === 'group' && part.parts.length <= 4 && part.parts.every((one) => one.kind === 'value' || isFlat(one)); // prettier-ignore

/** Sort a view into others, table and yours; `own` names the fields that only a seat may know. */
export function areasOf(view: Dict, own: string[]): Areas {
  const seats = Number(view['seats'] ?? 1);
  const keys = Object.keys(view).filter((key) => !COMMON.has(key) && view[key] !== null);
  const found: Areas = {
    seats: Array.from({ length: seats }, () => ({ numbers: [], hidden: null, parts: [] })),
    table: [],
    yours: own.flatMap((key) => partOf(key, view[key], seats) ?? []),
  };
  for (const key of keys.filter((key) => !own.includes(key))) {
    const each = bySeat(view[key], seats);
    if (each === null) found.table.push(...[partOf(key, view[key], seats) ?? []].flat());
    else each.forEach((value, of) => give(found.seats[of]!, key, value, seats));
  }
  for (const [of, one] of ((view['own_views'] ?? []) as Dict[]).entries())
    // a replay with all open
    for (const [key, value] of Object.entries(one))
      found.seats[of]!.parts.push(...[partOf(key === 'hand' ? '' : key, value, seats) ?? []].flat());
  for (const [of, one] of found.seats.entries())
    if (one.numbers.length === 0) one.numbers.push({ key: 'scores', value: Number((view['scores'] as number[])[of] ?? 0) });
  return found;
}

function give(seat: Seated, key: string, value: unknown, seats: number): void {
  const hidden = Array.isArray(value) && value.length > 0 && value.every((one) => one === null) ? value.length : null;
  if (hidden !== null || (SIZES.test(key) && typeof value === 'number')) seat.hidden = hidden ?? (value as number);
  else if (typeof value === 'number') seat.numbers.push({ key, value });
  else seat.parts.push(...[partOf(key, value, seats) ?? []].flat());
}

/** What a move does, to group moves by: as the server says, else its word up to where its values begin. */
export const verbOf = (offer: Offer): string => String(offer.verb ?? (/^[^\d:@]*[^\d:@\s_-]/.exec(offer.word)?.[0] || offer.word));

export interface Verb {
  verb: string;
  offers: Offer[];
}

/** The moves by their verbs, in the order given. */
export function verbsOf(legal: Offer[]): Verb[] {
  const found: Verb[] = [];
  for (const offer of legal) {
    const verb = verbOf(offer);
    const known = found.find((one) => one.verb === verb);
    if (known) known.offers.push(offer);
    else found.push({ verb, offers: [offer] });
  }
  return found;
}

const PALETTE = ['green', 'blue', 'yellow', 'red', 'violet', 'orange', 'pink', 'black'];

/** Colours for kinds of pieces, by order of first appearance; a kind that is a colour has its own. */
export class Kinds {
  #known = new Map<string, string>();

  /** The colour of a kind. */
  of(kind: string): string {
    const known = this.#known.get(kind);
    if (known) return known;
    const free = PALETTE.filter((one) => ![...this.#known.values()].includes(one));
    const colour = PALETTE.includes(kind) ? kind : (free[0] ?? PALETTE[this.#known.size % PALETTE.length]!);
    this.#known.set(kind, colour);
    return colour;
  }
}
