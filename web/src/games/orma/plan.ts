// Finding the next spot: a beam search for the cheapest chain of steps from a token. See layout.ts for the whole idea.

import { COS, PLAN, ROW, SIN, STEP, apart, baseOf, headingsFrom, isRow, takenHeadings } from './ground';
import type { Ground } from './ground';

export interface Search {
  /** How many steps to plan. */
  depth: number;
  /** No step nearer than this to any token or ghost but the one before it. */
  near: number;
  /** 30° units between the rows at one black token. */
  between: number;
  growth: number;
  /** Chains kept once more than this are alive. */
  beam: number;
}

export const USUAL: Search = { depth: 1 + PLAN, near: 1.3, between: 3, growth: 2, beam: 16 };
export const TIGHT: Search = { ...USUAL, near: 1.15 };
export const TOUCHING: Search = { ...USUAL, near: 1.04, between: 2 };

const FADE = 0.92;
const TURNS = [0, 1, -1, 2, -2] as const;
const TURN_COST = [0, 0.25, 0.9] as const;
const FREE_AREA = 130;
const NEARNESS = 0.6;
const NEAR = 2.2;
const CROSSING = 0.3;
const PLANNED_NEAR = 1.3;
const NO_ROW = 2;
const NOT_120 = 0.15;
const POCKET = 12;
const POCKET_CELLS = 60;
const POCKET_CHAINS = 8;
const CELL = 0.6;
const CELL_NEAR = 1.25;

// Scratch memory of one search; nothing in it outlives a call.
const MAX = 1 << 14;
const OBSTACLES = 256;
const nodeX = new Float64Array(MAX);
const nodeY = new Float64Array(MAX);
const nodeHeading = new Int8Array(MAX);
const nodeCost = new Float64Array(MAX);
const nodeParent = new Int32Array(MAX);
const nodeFirst = new Int8Array(MAX);
const nodeBox = new Float64Array(MAX * 4);
let nodes = 0;
const obsX = new Float64Array(OBSTACLES);
const obsY = new Float64Array(OBSTACLES);
const obsBeside = new Uint8Array(OBSTACLES); // next to the base: no cost for the first step
let obstacles = 0;
let tokenObstacles = 0;
let baseObstacle = -1;
const aheadX = new Float64Array(OBSTACLES);
const aheadY = new Float64Array(OBSTACLES);
let aheads = 0;
const CELLS = 160;
const cellSeen = new Int32Array(CELLS * CELLS);
const cellQueue = new Int32Array(POCKET_CELLS * 5);
let cellStamp = 0;

/** Note every token, ghost and plan on the ground but those of one place. */
function gather(g: Ground, base: number, place: number): void {
  const bx = g.x[base]!;
  const by = g.y[base]!;
  obstacles = 0;
  aheads = 0;
  baseObstacle = -1;
  for (let i = 0; i < g.count; i++) {
    if (!g.down[i]) continue;
    if (i === base) baseObstacle = obstacles;
    obsX[obstacles] = g.x[i]!;
    obsY[obstacles++] = g.y[i]!;
  }
  tokenObstacles = obstacles;
  for (let side = 0; side < 2; side++) {
    const from = side ? ROW : 0;
    const to = side ? ROW + g.rows.length : g.blacks.length;
    for (let p = from; p < to; p++) {
      if (!g.ghostDown[p] || p === place) continue;
      obsX[obstacles] = g.ghostX[p]!;
      obsY[obstacles++] = g.ghostY[p]!;
      for (let k = 0; k < g.planned[p]!; k++) {
        aheadX[aheads] = g.plan[(p * PLAN + k) * 2]!;
        aheadY[aheads++] = g.plan[(p * PLAN + k) * 2 + 1]!;
      }
    }
  }
  for (let i = 0; i < obstacles; i++) {
    const dx = obsX[i]! - bx;
    const dy = obsY[i]! - by;
    obsBeside[i] = dx * dx + dy * dy < 1.2 ? 1 : 0;
  }
}

/** The cost of lying near others, or -1 if too near; a first step does not mind its base and what else starts there. */
function costAt(x: number, y: number, near: number, first: boolean): number {
  const near2 = near * near;
  let cost = 0;
  for (let i = 0; i < obstacles; i++) {
    const dx = obsX[i]! - x;
    if (dx >= NEAR || dx <= -NEAR) continue;
    const dy = obsY[i]! - y;
    const d2 = dx * dx + dy * dy;
    if (d2 >= NEAR * NEAR) continue;
    if (first && i === baseObstacle) continue;
    if (d2 < near2) return -1;
    if (!(first && obsBeside[i])) cost += NEARNESS * (NEAR - Math.sqrt(d2));
  }
  for (let i = 0; i < aheads; i++) {
    const dx = aheadX[i]! - x;
    const dy = aheadY[i]! - y;
    if (dx * dx + dy * dy < PLANNED_NEAR * PLANNED_NEAR) cost += CROSSING;
  }
  return cost;
}

/** Whether a spot is free, seen from one beside it that is not counted. */
function isFree(x: number, y: number, near: number, besideX: number, besideY: number): boolean {
  const near2 = near * near;
  for (let i = 0; i < obstacles; i++) {
    const dx = obsX[i]! - x;
    const dy = obsY[i]! - y;
    if (dx * dx + dy * dy < near2 && !(obsX[i] === besideX && obsY[i] === besideY)) return false;
  }
  return true;
}

/** How many of two rows could start if a black token came to a spot, arriving with a heading. */
function rowsThatFit(x: number, y: number, heading: number, near: number, between: number): number {
  let most = 0;
  for (let a = between; a <= 12 - between; a++) {
    const h = (heading + 6 + a) % 12;
    if (!isFree(x + STEP * COS[h]!, y + STEP * SIN[h]!, near, x, y)) continue;
    most = Math.max(most, 1);
    for (let b = a + between; b <= 12 - between; b++) {
      const k = (heading + 6 + b) % 12;
      if (isFree(x + STEP * COS[k]!, y + STEP * SIN[k]!, near, x, y)) return 2;
    }
  }
  return most;
}

function size(g: Ground, left: number, right: number, top: number, bottom: number): number {
  const least = Math.sqrt(FREE_AREA / g.aspect);
  return Math.max((right - left) / g.aspect, bottom - top, least);
}

function addNode(x: number, y: number, heading: number, parent: number, first: number): number {
  const n = nodes++;
  nodeX[n] = x;
  nodeY[n] = y;
  nodeHeading[n] = heading;
  nodeParent[n] = parent;
  nodeFirst[n] = first;
  return n;
}

/** Widen the picture of a chain by a node's spot; return how much larger it got. */
function grow(g: Ground, n: number, parentBox: number, boxes: Float64Array): number {
  const left = boxes[parentBox]!;
  const right = boxes[parentBox + 1]!;
  const top = boxes[parentBox + 2]!;
  const bottom = boxes[parentBox + 3]!;
  const x = nodeX[n]!;
  const y = nodeY[n]!;
  const at = n * 4;
  nodeBox[at] = Math.min(left, x);
  nodeBox[at + 1] = Math.max(right, x);
  nodeBox[at + 2] = Math.min(top, y);
  nodeBox[at + 3] = Math.max(bottom, y);
  if (x >= left && x <= right && y >= top && y <= bottom) return 0;
  const after = size(g, nodeBox[at]!, nodeBox[at + 1]!, nodeBox[at + 2]!, nodeBox[at + 3]!);
  return after - size(g, left, right, top, bottom);
}

const startBox = new Float64Array(4);

function boxNow(g: Ground, base: number): void {
  let left = g.x[base]!;
  let right = left;
  let top = g.y[base]!;
  let bottom = top;
  for (let i = 0; i < obstacles; i++) {
    left = Math.min(left, obsX[i]!);
    right = Math.max(right, obsX[i]!);
    top = Math.min(top, obsY[i]!);
    bottom = Math.max(bottom, obsY[i]!);
  }
  startBox[0] = left;
  startBox[1] = right;
  startBox[2] = top;
  startBox[3] = bottom;
}

/** The extra cost of a first step: will a black token have rows here, has its base further ones? */
function firstCost(g: Ground, n: number, place: number, black: number, search: Search): number {
  const x = nodeX[n]!;
  const y = nodeY[n]!;
  const heading = nodeHeading[n]!;
  if (black < 0) {
    if (place < 0) return 0; // a row laid again: its ghost is further on
    return NO_ROW * (2 - rowsThatFit(x, y, heading, search.near, search.between));
  }
  let cost = 0;
  const taken = takenHeadings(g, black);
  if (taken.length === 1) cost += NOT_120 * Math.abs(apart(taken[0]!, heading) - 4);
  if (taken.length < 2) {
    const bx = g.x[g.blacks[black]!.token]!;
    const by = g.y[g.blacks[black]!.token]!;
    let fits = false;
    for (let h = 0; h < 12 && !fits; h++) {
      if (apart(h, heading) < search.between || taken.some((t) => apart(t, h) < search.between)) continue;
      fits = isFree(bx + STEP * COS[h]!, by + STEP * SIN[h]!, search.near, bx, by);
    }
    if (!fits) cost += NO_ROW;
  }
  return cost;
}

/** Keep the cheapest chains, some of every first heading (a pure function of costs and order: ties keep their order). */
function prune(alive: number[], headings: number, beam: number): number[] {
  if (alive.length <= beam) return alive;
  alive.sort((a, b) => nodeCost[a]! - nodeCost[b]! || a - b);
  const each = Math.max(Math.min(5, beam), Math.ceil(beam / headings));
  const counts = new Int8Array(12);
  const kept: number[] = [];
  for (const n of alive) {
    if (counts[nodeFirst[n]!]! >= each) continue;
    counts[nodeFirst[n]!]!++;
    kept.push(n);
    if (kept.length === 2 * beam) break;
  }
  return kept;
}

/** How much of the ground around a chain's end can still be reached, from 0 to 1. */
function room(end: number): number {
  const ex = nodeX[end]!;
  const ey = nodeY[end]!;
  const middle = CELLS / 2;
  const near2 = CELL_NEAR * CELL_NEAR;
  cellStamp++;
  let found = 0;
  let read = 0;
  let write = 0;
  cellQueue[write++] = middle * CELLS + middle;
  cellSeen[middle * CELLS + middle] = cellStamp;
  while (read < write && found < POCKET_CELLS) {
    const cell = cellQueue[read++]!;
    found++;
    for (let d = 0; d < 4; d++) {
      const next = cell + (d === 0 ? 1 : d === 1 ? -1 : d === 2 ? CELLS : -CELLS);
      if (cellSeen[next] === cellStamp) continue;
      cellSeen[next] = cellStamp;
      const x = ex + ((next % CELLS) - middle) * CELL;
      const y = ey + (Math.floor(next / CELLS) - middle) * CELL;
      let open = true;
      for (let i = 0; i < tokenObstacles && open; i++) {
        const dx = obsX[i]! - x;
        const dy = obsY[i]! - y;
        if (dx * dx + dy * dy < near2) open = false;
      }
      for (let n = nodeParent[end]!; n >= 0 && open; n = nodeParent[n]!) {
        const dx = nodeX[n]! - x;
        const dy = nodeY[n]! - y;
        if (dx * dx + dy * dy < near2) open = false;
      }
      if (open && write < cellQueue.length) cellQueue[write++] = next;
    }
  }
  return found / POCKET_CELLS;
}

/** A chain of steps: x, y, heading each. */
export interface Chain {
  x: number[];
  y: number[];
  heading: number[];
}

/**
 * Find the cheapest chain of steps from a base token; the longest if none is as long as asked for.
 * `place` is the one whose ghost is looked for (its old ghost does not count), or -1 when a row is laid again;
 * `black` is the black token it starts from, or -1 inside a row.
 */
export function findChain(g: Ground, base: number, place: number, black: number, search: Search): Chain | null {
  gather(g, base, place);
  boxNow(g, base);
  nodes = 0;
  const bx = g.x[base]!;
  const by = g.y[base]!;
  const headings = headingsFrom(g, base, black, search.between);
  let alive: number[] = [];
  for (let k = 0; k < headings.length; k++) {
    const h = headings[k]!;
    const x = bx + STEP * COS[h]!;
    const y = by + STEP * SIN[h]!;
    g.looked++;
    const cost = costAt(x, y, search.near, true);
    if (cost < 0) continue;
    const n = addNode(x, y, h, -1, k);
    const turn = black < 0 ? TURN_COST[apart(h, g.heading[base]!)]! : 0;
    nodeCost[n] = cost + turn + search.growth * grow(g, n, 0, startBox) + firstCost(g, n, place, black, search);
    alive.push(n);
  }
  if (!alive.length) return null;
  const starts = alive.length;
  alive = prune(alive, starts, search.beam);
  let weight = 1;
  for (let depth = 1; depth < search.depth; depth++) {
    weight *= FADE;
    const next: number[] = [];
    for (const from of alive) {
      for (let t = 0; t < TURNS.length; t++) {
        const h = (nodeHeading[from]! + TURNS[t]! + 12) % 12;
        const x = nodeX[from]! + STEP * COS[h]!;
        const y = nodeY[from]! + STEP * SIN[h]!;
        g.looked++;
        if (nodes >= MAX || !clearOfChain(x, y, from, search.near)) continue;
        const cost = costAt(x, y, search.near, false);
        if (cost < 0) continue;
        const n = addNode(x, y, h, from, nodeFirst[from]!);
        const growth = search.growth * grow(g, n, from * 4, nodeBox);
        nodeCost[n] = nodeCost[from]! + weight * (cost + TURN_COST[Math.abs(TURNS[t]!)]! + growth);
        next.push(n);
      }
    }
    if (!next.length) break;
    alive = prune(next, starts, search.beam);
  }
  return chainTo(best(alive));
}

function clearOfChain(x: number, y: number, from: number, near: number): boolean {
  const near2 = near * near;
  for (let n = nodeParent[from]!; n >= 0; n = nodeParent[n]!) {
    const dx = nodeX[n]! - x;
    const dy = nodeY[n]! - y;
    if (dx * dx + dy * dy < near2) return false;
  }
  return true;
}

function best(alive: number[]): number {
  alive.sort((a, b) => nodeCost[a]! - nodeCost[b]! || a - b);
  const tried: number[] = [];
  let found = alive[0]!;
  let least = Infinity;
  for (const n of alive) {
    if (nodeCost[n]! >= least) break;
    const same = tried.some((o) => Math.abs(nodeX[o]! - nodeX[n]!) < 0.1 && Math.abs(nodeY[o]! - nodeY[n]!) < 0.1);
    if (same) continue;
    const cost = nodeCost[n]! + POCKET * (1 - room(n));
    if (cost < least) {
      least = cost;
      found = n;
    }
    tried.push(n);
    if (tried.length === POCKET_CHAINS) break;
  }
  return found;
}

function chainTo(end: number): Chain {
  const chain: Chain = { x: [], y: [], heading: [] };
  for (let n = end; n >= 0; n = nodeParent[n]!) {
    chain.x.unshift(nodeX[n]!);
    chain.y.unshift(nodeY[n]!);
    chain.heading.unshift(nodeHeading[n]!);
  }
  return chain;
}

/** Take step `at` of a chain as the ghost of a place and remember the rest as its plan. */
export function putGhost(g: Ground, place: number, chain: Chain, at: number): void {
  g.ghostX[place] = chain.x[at]!;
  g.ghostY[place] = chain.y[at]!;
  g.ghostHeading[place] = chain.heading[at]!;
  g.ghostDown[place] = 1;
  const rest = Math.min(PLAN, chain.x.length - at - 1);
  g.planned[place] = rest;
  for (let k = 0; k < rest; k++) {
    g.plan[(place * PLAN + k) * 2] = chain.x[at + 1 + k]!;
    g.plan[(place * PLAN + k) * 2 + 1] = chain.y[at + 1 + k]!;
  }
}

/** Reserve a spot for the next token of a place; false if there is none. */
export function findGhost(g: Ground, place: number, search: Search): boolean {
  const chain = findChain(g, baseOf(g, place), place, isRow(place) ? -1 : place, search);
  if (!chain) return false;
  putGhost(g, place, chain, 0);
  return true;
}

/** How well a ghost can go on: free steps ahead (0 to 2), and 2 more if a black token could start a row there. */
function prospects(g: Ground, place: number): number {
  const base = baseOf(g, place);
  gather(g, base, place);
  const x = g.ghostX[place]!;
  const y = g.ghostY[place]!;
  const heading = g.ghostHeading[place]!;
  let ahead = 0;
  for (let t = 0; t < TURNS.length && ahead < 2; t++) {
    const h = (heading + TURNS[t]! + 12) % 12;
    const ax = x + STEP * COS[h]!;
    const ay = y + STEP * SIN[h]!;
    if (!isFree(ax, ay, USUAL.near, x, y)) continue;
    ahead = Math.max(ahead, 1);
    for (let u = 0; u < TURNS.length && ahead < 2; u++) {
      const k = (h + TURNS[u]! + 12) % 12;
      if (isFree(ax + STEP * COS[k]!, ay + STEP * SIN[k]!, USUAL.near, ax, ay)) ahead = 2;
    }
  }
  const starts = !isRow(place) || rowsThatFit(x, y, heading, USUAL.near, USUAL.between) > 0;
  return ahead + (starts ? 2 : 0);
}

/** Let ghosts that got into a dead end look for another spot while nothing lies there. */
export function tend(g: Ground): void {
  for (let side = 0; side < 2; side++) {
    const from = side ? ROW : 0;
    const to = side ? ROW + g.rows.length : g.blacks.length;
    for (let p = from; p < to; p++) {
      if (!g.ghostDown[p]) continue;
      const now = prospects(g, p);
      if (now === 4) continue;
      const chain = findChain(g, baseOf(g, p), p, isRow(p) ? -1 : p, USUAL);
      if (!chain || (chain.x[0] === g.ghostX[p] && chain.y[0] === g.ghostY[p])) continue;
      const old = { x: [g.ghostX[p]!], y: [g.ghostY[p]!], heading: [g.ghostHeading[p]!] };
      for (let k = 0; k < g.planned[p]!; k++) {
        old.x.push(g.plan[(p * PLAN + k) * 2]!);
        old.y.push(g.plan[(p * PLAN + k) * 2 + 1]!);
        old.heading.push(0);
      }
      putGhost(g, p, chain, 0);
      if (prospects(g, p) <= now) putGhost(g, p, old, 0);
    }
  }
}
