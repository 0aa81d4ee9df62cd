// When no spot is left for a place: lift the smallest set of tokens that solves it and lay it again (layout.ts).

import { COS, ROW, SIN, STEP, apart, baseOf, isOpen, isRow, keep, putToken, restore } from './ground';
import type { Ground } from './ground';
import { TIGHT, TOUCHING, USUAL, findChain, findGhost, putGhost } from './plan';
import type { Search } from './plan';

const AGAIN: Search = { ...USUAL, beam: 9 };
const LOOKAHEAD = 3;
/** Steps looked at in one repair after which each stage gives up. */
const BUDGET = { small: 2400, units: 4200, pairs: 6000, large: 7800 };
const SMALL = 4;
const MEDIUM = 20;
const GHOST = 1000; // ghosts in a unit's contents are GHOST + place

/** Something that can be lifted: the tail of a row from token `from` on with all behind it, or one black token's ghost. */
interface Unit {
  place: number;
  from: number;
  tokens: number;
  holds: Set<number>;
}

function hold(g: Ground, unit: Unit, row: number, from: number): void {
  const r = g.rows[row]!;
  for (let j = from; j < r.tokens.length; j++) unit.holds.add(r.tokens[j]!);
  unit.tokens += r.tokens.length - from;
  if (r.to < 0) {
    unit.holds.add(GHOST + ROW + row);
    return;
  }
  const black = g.blacks[r.to]!;
  unit.holds.add(black.token);
  unit.tokens++;
  if (isOpen(g, r.to)) unit.holds.add(GHOST + r.to);
  for (const start of black.starts) hold(g, unit, start, 0);
}

function allUnits(g: Ground): Unit[] {
  const units: Unit[] = [];
  for (let b = 0; b < g.blacks.length; b++) {
    if (isOpen(g, b)) units.push({ place: b, from: 0, tokens: 0, holds: new Set([GHOST + b]) });
  }
  for (let row = 0; row < g.rows.length; row++) {
    const r = g.rows[row]!;
    for (let from = 0; from <= r.tokens.length; from++) {
      const unit: Unit = { place: ROW + row, from, tokens: 0, holds: new Set() };
      hold(g, unit, row, from);
      units.push(unit);
    }
  }
  return units.sort((a, b) => a.tokens - b.tokens); // stable: ties keep the order above
}

/** For each spot the place could have, all that is in its way. */
function blockers(g: Ground, place: number): number[][] {
  const base = baseOf(g, place);
  const sets: number[][] = [];
  const near2 = USUAL.near * USUAL.near;
  for (let h = 0; h < 12; h++) {
    if (isRow(place) && apart(h, g.heading[base]!) > 2) continue;
    const x = g.x[base]! + STEP * COS[h]!;
    const y = g.y[base]! + STEP * SIN[h]!;
    const inTheWay: number[] = [];
    for (let i = 0; i < g.count; i++) {
      const d2 = (g.x[i]! - x) ** 2 + (g.y[i]! - y) ** 2;
      if (g.down[i] && i !== base && d2 < near2) inTheWay.push(i);
    }
    for (let p = 0; p < g.ghostDown.length; p++) {
      const d2 = (g.ghostX[p]! - x) ** 2 + (g.ghostY[p]! - y) ** 2;
      if (g.ghostDown[p] && p !== place && d2 < near2) inTheWay.push(GHOST + p);
    }
    if (!isRow(place)) {
      const black = g.blacks[place]!;
      if (black.closes >= 0 && apart(h, (g.heading[base]! + 6) % 12) < USUAL.between) inTheWay.push(base);
      for (const r of black.starts) {
        const first = g.rows[r]!.tokens[0]!;
        if (apart(h, g.heading[first]!) < USUAL.between && !inTheWay.includes(first)) inTheWay.push(first);
      }
    }
    sets.push(inTheWay);
  }
  return sets;
}

function lift(g: Ground, unit: Unit): void {
  for (const held of unit.holds) {
    if (held >= GHOST) g.ghostDown[held - GHOST] = 0;
    else g.down[held] = 0;
  }
}

function subtree(g: Ground, row: number): number {
  const r = g.rows[row]!;
  let count = r.tokens.length;
  if (r.to >= 0) {
    count++;
    for (const start of g.blacks[r.to]!.starts) count += subtree(g, start);
  }
  return count;
}

/** Lay the tail of a row again, and all behind it, the larger branches first; false if it does not fit. */
function layTail(g: Ground, row: number, from: number, search: Search): boolean {
  const r = g.rows[row]!;
  const base = from ? r.tokens[from - 1]! : g.blacks[r.from]!.token;
  const due = r.tokens.length - from + 1; // its tokens, then the black token or the ghost
  const chain = findChain(g, base, due === 1 && r.to < 0 ? ROW + row : -1, from ? -1 : r.from, {
    ...search,
    depth: r.tokens.length - from + LOOKAHEAD,
  });
  if (!chain || chain.x.length < due) return false;
  for (let k = 0; k + 1 < due; k++) {
    putToken(g, r.tokens[from + k]!, chain.x[k]!, chain.y[k]!, chain.heading[k]!);
  }
  if (r.to < 0) {
    putGhost(g, ROW + row, chain, due - 1);
    return true;
  }
  const black = g.blacks[r.to]!;
  putToken(g, black.token, chain.x[due - 1]!, chain.y[due - 1]!, chain.heading[due - 1]!);
  return layBranches(g, r.to, search);
}

function layBranches(g: Ground, black: number, search: Search): boolean {
  const starts = g.blacks[black]!.starts.slice().sort((a, b) => subtree(g, b) - subtree(g, a));
  for (const start of starts) if (!layTail(g, start, 0, search)) return false;
  return !isOpen(g, black) || findGhost(g, black, search.beam === USUAL.beam ? search : { ...USUAL, ...relaxed(search) });
}

function relaxed(search: Search): Pick<Search, 'near' | 'between' | 'growth'> {
  return { near: search.near, between: search.between, growth: search.growth };
}

/** Lift units, find the place its spot, lay the units again; undo all of it if that fails. */
function tryUnits(g: Ground, place: number, units: Unit[], search: Search): boolean {
  const kept = keep(g);
  for (const unit of units) lift(g, unit);
  const own = units.some((unit) => unit.holds.has(GHOST + place)); // then it comes with its unit
  const done =
    (own || findGhost(g, place, USUAL)) &&
    units.every((unit) => {
      if (isRow(unit.place)) return layTail(g, unit.place - ROW, unit.from, search);
      return findGhost(g, unit.place, USUAL);
    });
  if (!done) restore(g, kept);
  return done;
}

function tryPairs(g: Ground, place: number, units: Unit[], spots: number[][], stop: number): boolean {
  const useful = units.filter((unit) => unit.tokens <= MEDIUM && spots.some((spot) => spot.some((id) => unit.holds.has(id))));
  const pairs: [Unit, Unit][] = [];
  for (let i = 0; i < useful.length; i++) {
    for (let j = i + 1; j < useful.length; j++) {
      const a = useful[i]!;
      const b = useful[j]!;
      if (a.tokens + b.tokens > MEDIUM || overlap(a, b)) continue;
      if (spots.some((spot) => spot.length && spot.every((id) => a.holds.has(id) || b.holds.has(id)))) pairs.push([b, a]);
    }
  }
  pairs.sort((p, q) => p[0].tokens + p[1].tokens - q[0].tokens - q[1].tokens);
  for (const pair of pairs) {
    if (g.looked > stop) return false;
    if (tryUnits(g, place, pair, AGAIN)) return true;
  }
  return false;
}

function overlap(a: Unit, b: Unit): boolean {
  const [few, many] = a.holds.size < b.holds.size ? [a, b] : [b, a];
  for (const id of few.holds) if (many.holds.has(id)) return true;
  return false;
}

/** Lay the whole table again around b0. */
function anew(g: Ground, search: Search): boolean {
  const kept = keep(g);
  g.down.fill(0);
  g.ghostDown.fill(0);
  putToken(g, g.blacks[0]!.token, 0, 0, 0);
  const done = layBranches(g, 0, search);
  if (!done) restore(g, kept);
  return done;
}

/** Make room for the ghost of a place, moving as little as possible. */
export function repair(g: Ground, place: number): void {
  const since = g.looked;
  const spots = blockers(g, place);
  const base = baseOf(g, place);
  const units = allUnits(g);
  const useful = units.filter(
    (unit) => unit.holds.has(base) || unit.holds.has(GHOST + place) || spots.some((spot) => spot.every((id) => unit.holds.has(id))),
  );
  const tryUseful = (above: number, most: number, budget: number): boolean => {
    for (const unit of useful) {
      if (unit.tokens <= above || unit.tokens > most) continue;
      if (g.looked > since + budget) return false;
      if (tryUnits(g, place, [unit], AGAIN)) return true;
    }
    return false;
  };
  if (tryUseful(-1, SMALL, BUDGET.small)) return;
  if (findGhost(g, place, TIGHT)) return;
  if (tryUseful(SMALL, MEDIUM, BUDGET.units)) return;
  if (tryPairs(g, place, units, spots, since + BUDGET.pairs)) return;
  if (findGhost(g, place, TOUCHING)) return;
  if (tryUseful(MEDIUM, Infinity, BUDGET.large)) return;
  for (const search of [USUAL, TOUCHING]) {
    for (const growth of [2, 0.5, 0.1]) if (anew(g, { ...search, beam: 8, growth })) return;
  }
  throw new Error(`no room for place ${place}`);
}
