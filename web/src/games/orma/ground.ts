// Where the tokens of an Orma table lie. Unit: a token's diameter. See layout.ts for the whole idea.

/** One step of the walk, and the twelve directions, 30° apart; constants, so that all browsers decide alike. */
export const STEP = 1.05;
const HALF = 0.5;
const TALL = 0.8660254037844386;
export const COS = [1, TALL, HALF, 0, -HALF, -TALL, -1, -TALL, -HALF, 0, HALF, TALL] as const;
export const SIN = [0, HALF, TALL, 1, TALL, HALF, 0, -HALF, -TALL, -1, -TALL, -HALF] as const;

/** A place is a number: black token b is b, row r is ROW + r. */
export const ROW = 16;
const PLACES = 64;
const TOKENS = 128;
/** Steps a ghost remembers beyond itself. */
export const PLAN = 5;
/** Rows a black token may have, the one it closes included: what a ghost is kept for, legal or not. */
const ROWS_AT_BLACK = 3;

export interface Row {
  colour: string;
  from: number;
  /** Of its own colour, from the black token outwards. */
  tokens: number[];
  /** The black token that closes it, or -1. */
  to: number;
}

export interface Black {
  token: number;
  closes: number;
  starts: number[];
}

/** All tokens and ghosts; a token or ghost that is being moved is not `down` meanwhile. */
export interface Ground {
  aspect: number;
  count: number;
  x: Float64Array;
  y: Float64Array;
  heading: Int8Array;
  down: Uint8Array;
  ghostX: Float64Array;
  ghostY: Float64Array;
  ghostHeading: Int8Array;
  ghostDown: Uint8Array;
  /** x and y of each further step planned for a ghost. */
  plan: Float64Array;
  planned: Int8Array;
  rows: Row[];
  blacks: Black[];
  /** Steps looked at so far in this move. */
  looked: number;
}

export function newGround(aspect: number): Ground {
  return {
    aspect,
    count: 0,
    x: new Float64Array(TOKENS),
    y: new Float64Array(TOKENS),
    heading: new Int8Array(TOKENS),
    down: new Uint8Array(TOKENS),
    ghostX: new Float64Array(PLACES),
    ghostY: new Float64Array(PLACES),
    ghostHeading: new Int8Array(PLACES),
    ghostDown: new Uint8Array(PLACES),
    plan: new Float64Array(PLACES * PLAN * 2),
    planned: new Int8Array(PLACES),
    rows: [],
    blacks: [],
    looked: 0,
  };
}

/** What `restore` needs to undo a failed try. */
export type Kept = ReturnType<typeof keep>;

export function keep(g: Ground) {
  return {
    x: g.x.slice(),
    y: g.y.slice(),
    heading: g.heading.slice(),
    down: g.down.slice(),
    ghostX: g.ghostX.slice(),
    ghostY: g.ghostY.slice(),
    ghostHeading: g.ghostHeading.slice(),
    ghostDown: g.ghostDown.slice(),
    plan: g.plan.slice(),
    planned: g.planned.slice(),
  };
}

export function restore(g: Ground, kept: Kept): void {
  g.x.set(kept.x);
  g.y.set(kept.y);
  g.heading.set(kept.heading);
  g.down.set(kept.down);
  g.ghostX.set(kept.ghostX);
  g.ghostY.set(kept.ghostY);
  g.ghostHeading.set(kept.ghostHeading);
  g.ghostDown.set(kept.ghostDown);
  g.plan.set(kept.plan);
  g.planned.set(kept.planned);
}

export function putToken(g: Ground, token: number, x: number, y: number, heading: number): void {
  g.x[token] = x;
  g.y[token] = y;
  g.heading[token] = heading;
  g.down[token] = 1;
}

export function isRow(place: number): boolean {
  return place >= ROW;
}

/** The token from which a place goes on: the last of the row, or the black token. */
export function baseOf(g: Ground, place: number): number {
  if (!isRow(place)) return g.blacks[place]!.token;
  const row = g.rows[place - ROW]!;
  return row.tokens.length ? row.tokens[row.tokens.length - 1]! : g.blacks[row.from]!.token;
}

export function rowsAt(g: Ground, black: number): number {
  const b = g.blacks[black]!;
  return b.starts.length + (b.closes < 0 ? 0 : 1);
}

/** Places that must have a ghost: open rows, and black tokens with fewer than three rows. */
export function isOpen(g: Ground, place: number): boolean {
  if (isRow(place)) {
    const row = g.rows[place - ROW];
    return row !== undefined && row.to < 0;
  }
  return place < g.blacks.length && rowsAt(g, place) < ROWS_AT_BLACK;
}

/** Every place with a ghost on the table or due, in a fixed order. */
export function openPlaces(g: Ground): number[] {
  const places: number[] = [];
  for (let b = 0; b < g.blacks.length; b++) if (isOpen(g, b)) places.push(b);
  for (let r = 0; r < g.rows.length; r++) if (isOpen(g, ROW + r)) places.push(ROW + r);
  return places;
}

/** Directions, seen from the black token, of its rows that are down. */
export function takenHeadings(g: Ground, black: number): number[] {
  const b = g.blacks[black]!;
  const taken: number[] = [];
  if (b.closes >= 0) taken.push((g.heading[b.token]! + 6) % 12);
  for (const r of b.starts) {
    const first = g.rows[r]!.tokens[0];
    if (first !== undefined && g.down[first]) taken.push(g.heading[first]!);
  }
  return taken;
}

export function apart(a: number, b: number): number {
  const d = Math.abs(a - b) % 12;
  return d > 6 ? 12 - d : d;
}

/** Headings for a first step from a base, in the order they are preferred in when equal. */
export function headingsFrom(g: Ground, base: number, black: number, between: number): number[] {
  if (black < 0) {
    const h = g.heading[base]! + 12;
    return [h % 12, (h + 1) % 12, (h + 11) % 12, (h + 2) % 12, (h + 10) % 12];
  }
  const taken = takenHeadings(g, black);
  const start = g.aspect < 1 ? 9 : 0; // a tall window grows upright
  const headings: number[] = [];
  for (let k = 0; k < 12; k++) {
    const h = (start + k) % 12;
    if (taken.every((other) => apart(other, h) >= between)) headings.push(h);
  }
  return headings;
}
