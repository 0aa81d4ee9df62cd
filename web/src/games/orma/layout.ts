// Where each token of Orma's tree lies, so that nothing overlaps and nothing moves.
//
// Free positions, twelve directions, steps of 1.05 token diameters. Every place where a token might come has a reserved
// spot, its ghost; a token laid there takes exactly that spot, so a move only looks for the one or two new ghosts it
// opens: the first step of the cheapest chain of six (plan.ts). When none is left, the fewest tokens that solve it are
// lifted and laid again (repair.ts). It is a fold over the laid moves with no randomness: reload, replay and undo give
// the same picture. Ghosts are kept for every open row and every black token with fewer than three rows, legal or not;
// which of them to show is the server's word.

import { ROW, isOpen, isRow, newGround, openPlaces, putToken } from './ground';
import type { Ground } from './ground';
import { USUAL, findGhost, tend } from './plan';
import { repair } from './repair';

export interface Spot {
  x: number;
  y: number;
  /** Where it walks to, in 30° from the right, clockwise as seen on the screen. */
  heading: number;
}

export interface LaidToken extends Spot {
  colour: string;
  /** The row it belongs to, and how many of it come before; -1 for a black token. */
  row: number;
  index: number;
  /** The number of a black token, else -1. */
  black: number;
}

export interface Ghost extends Spot {
  place: string;
}

export interface LaidRow {
  colour: string;
  from: number;
  to: number | null;
  /** Indices into `tokens`: the black token it starts from, its own, and the one that closes it. */
  path: number[];
}

export interface Layout {
  tokens: LaidToken[];
  ghosts: Ghost[];
  rows: LaidRow[];
}

/** A table that is being laid: a ground, and how many moves have gone into it. */
export interface Growth {
  ground: Ground;
  colours: string[];
  words: string[];
}

export function begin(aspect: number): Growth {
  const ground = newGround(Math.min(4, Math.max(0.25, aspect)));
  const growth: Growth = { ground, colours: [], words: [] };
  addBlack(growth, 0, 0, 0, -1);
  reserve(ground, [0]);
  return growth;
}

function addBlack(growth: Growth, x: number, y: number, heading: number, closes: number): void {
  const g = growth.ground;
  putToken(g, g.count, x, y, heading);
  g.blacks.push({ token: g.count++, closes, starts: [] });
  growth.colours.push('black');
}

function reserve(g: Ground, places: number[]): void {
  for (const place of places) {
    if (isOpen(g, place) && !g.ghostDown[place] && !findGhost(g, place, USUAL)) repair(g, place);
  }
  tend(g);
}

/** Lay one more move; words that lay nothing (`draw`, `keep`, `pass`) change nothing. */
export function lay(growth: Growth, word: string): void {
  growth.words.push(word);
  const at = word.indexOf('@');
  if (at < 0) return;
  const g = growth.ground;
  const colour = word.slice(0, at);
  const number = Number(word.slice(at + 2));
  const place = word[at + 1] === 'r' ? ROW + number : number;
  const x = g.ghostX[place]!;
  const y = g.ghostY[place]!;
  const heading = g.ghostHeading[place]!;
  if (!g.ghostDown[place]) throw new Error(`no place for ${word}`);
  g.ghostDown[place] = 0;
  g.looked = 0;
  if (isRow(place) && colour === 'black') {
    g.rows[number]!.to = g.blacks.length;
    addBlack(growth, x, y, heading, number);
    reserve(g, [g.blacks.length - 1]);
    return;
  }
  let row = number;
  if (!isRow(place)) {
    row = g.rows.length;
    g.rows.push({ colour, from: number, tokens: [], to: -1 });
    g.blacks[number]!.starts.push(row);
  }
  putToken(g, g.count, x, y, heading);
  g.rows[row]!.tokens.push(g.count++);
  growth.colours.push(colour);
  reserve(g, isRow(place) ? [place] : [ROW + row, place]);
}

/** What lies where now. */
export function picture(growth: Growth): Layout {
  const g = growth.ground;
  const tokens: LaidToken[] = growth.colours.map((colour, i) => {
    return { colour, x: g.x[i]!, y: g.y[i]!, heading: g.heading[i]!, row: -1, index: 0, black: -1 };
  });
  g.blacks.forEach((black, b) => {
    tokens[black.token]!.black = b;
  });
  const rows = g.rows.map((row, r): LaidRow => {
    row.tokens.forEach((token, index) => Object.assign(tokens[token]!, { row: r, index }));
    const path = [g.blacks[row.from]!.token, ...row.tokens];
    if (row.to >= 0) path.push(g.blacks[row.to]!.token);
    return { colour: row.colour, from: row.from, to: row.to < 0 ? null : row.to, path };
  });
  const ghosts = openPlaces(g).map((place): Ghost => {
    const name = isRow(place) ? `r${place - ROW}` : `b${place}`;
    return { place: name, x: g.ghostX[place]!, y: g.ghostY[place]!, heading: g.ghostHeading[place]! };
  });
  return { tokens, ghosts, rows };
}

/** The part of the ground in the window: its centre and height; the width follows from the window's shape. */
export interface Frame {
  x: number;
  y: number;
  height: number;
}

const AROUND = 0.65;
const WIDEN = 1.06;

/** The box of all tokens and ghosts, with some ground around it. */
function bounds(layout: Layout): { left: number; right: number; top: number; bottom: number } {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of [...layout.tokens, ...layout.ghosts]) {
    left = Math.min(left, x - AROUND);
    right = Math.max(right, x + AROUND);
    top = Math.min(top, y - AROUND);
    bottom = Math.max(bottom, y + AROUND);
  }
  return { left, right, top, bottom };
}

/** The smallest frame that holds everything, but not smaller than `least` units high. */
export function fit(layout: Layout, aspect: number, least: number): Frame {
  const { left, right, top, bottom } = bounds(layout);
  const height = Math.max(bottom - top, (right - left) / aspect, least);
  return { x: (left + right) / 2, y: (top + bottom) / 2, height };
}

/** The frame after a move: the same as long as all is inside, then larger in steps, never smaller. */
export function follow(frame: Frame, layout: Layout, aspect: number): Frame {
  const { left, right, top, bottom } = bounds(layout);
  const half = frame.height / 2;
  const inside = left >= frame.x - half * aspect && right <= frame.x + half * aspect && top >= frame.y - half && bottom <= frame.y + half;
  if (inside) return frame;
  let height = frame.height;
  while (height < bottom - top || height * aspect < right - left) height *= WIDEN;
  return { x: (left + right) / 2, y: (top + bottom) / 2, height };
}
