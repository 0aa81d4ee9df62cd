// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { begin, fit, follow, lay, picture } from './layout';
import type { Layout } from './layout';
import { sceneFor } from './scene';
import played from '../../../dev/orma/played.txt?raw';

const COLOUR: Record<string, string> = { k: 'black', g: 'green', r: 'red', y: 'yellow', b: 'blue', v: 'violet' };

/** Real games, as dev/orma/played.py wrote them: only the moves that laid a token. */
const games = played
  .trim()
  .split('\n')
  .map((line) => {
    const laid = line.split(' ')[2]!;
    return Array.from({ length: laid.length / 2 }, (_, i) => {
      const place = laid[2 * i + 1]!;
      const name = place < 'a' ? `b${place.charCodeAt(0) - 65}` : `r${place.charCodeAt(0) - 97}`;
      return `${COLOUR[laid[2 * i]!]}@${name}`;
    });
  });

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2);
}

/** The nearest two of all tokens and ghosts. */
function nearest(layout: Layout): number {
  const all = [...layout.tokens, ...layout.ghosts];
  let least = Infinity;
  for (let i = 0; i < all.length; i++)
    for (let j = 0; j < i; j++) least = Math.min(least, (all[i]!.x - all[j]!.x) ** 2 + (all[i]!.y - all[j]!.y) ** 2);
  return Math.sqrt(least);
}

/** How far any step of any row is from 1.05. */
function unevenness(layout: Layout): number {
  let most = 0;
  for (const { path } of layout.rows) {
    for (let k = 1; k < path.length; k++) {
      const step = distance(layout.tokens[path[k - 1]!]!, layout.tokens[path[k]!]!);
      most = Math.max(most, Math.abs(step - 1.05));
    }
  }
  return most;
}

/** What must have a ghost, told from the moves alone: rows not closed, black tokens with fewer than three rows. */
function places(words: string[]): string[] {
  const rowsAt = [0];
  const open: boolean[] = [];
  for (const word of words) {
    const [colour, place] = word.split('@') as [string, string];
    const number = Number(place.slice(1));
    if (place[0] === 'b') {
      rowsAt[number]!++;
      open.push(true);
    } else if (colour === 'black') {
      open[number] = false;
      rowsAt.push(1);
    }
  }
  const found = rowsAt.flatMap((n, b) => (n < 3 ? [`b${b}`] : []));
  return [...found, ...open.flatMap((is, r) => (is ? [`r${r}`] : []))];
}

describe.each([
  ['wide', 1200 / 700, 0],
  ['phone', 380 / 420, 1],
  ['tall', 390 / 560, 2],
])('a %s window', (_, aspect, part) => {
  const mine = games.filter((_, i) => i % 3 === part);

  test('nothing overlaps, steps are even, every place has its ghost, tokens stay, and it is quick', () => {
    let tables = 0;
    let movedMoves = 0;
    let leftGhost = 0;
    let looked = 0;
    let longest = 0;
    const faults: string[] = [];
    for (const words of mine) {
      const growth = begin(aspect);
      let before = picture(growth);
      words.forEach((word, i) => {
        const ghost = before.ghosts.find(({ place }) => place === word.split('@')[1])!;
        lay(growth, word);
        looked += growth.ground.looked;
        longest = Math.max(longest, growth.ground.looked);
        const now = picture(growth);
        tables++;
        // Plain comparisons: an `expect` for each of thousands of tables takes longer than the tables.
        if (!(nearest(now) >= 1.04)) faults.push(`overlap after ${words.slice(0, i + 1).join(' ')}`);
        if (!(unevenness(now) < 1e-9)) faults.push(`uneven after ${words.slice(0, i + 1).join(' ')}`);
        if (now.ghosts.map(({ place }) => place).join() !== places(words.slice(0, i + 1)).join())
          faults.push(`ghosts after ${words.slice(0, i + 1).join(' ')}`);
        const stays = before.tokens.every(({ x, y }, k) => now.tokens[k]!.x === x && now.tokens[k]!.y === y);
        const laid = now.tokens[now.tokens.length - 1]!;
        if (laid.x !== ghost.x || laid.y !== ghost.y) leftGhost++;
        if (!stays) movedMoves++;
        before = now;
      });
    }
    expect(faults).toEqual([]);
    expect(tables).toBeGreaterThan(3500);
    expect(movedMoves / tables).toBeLessThan(0.005);
    expect(leftGhost / tables).toBeLessThan(0.005);
    // Steps looked at, not time: the same on every machine. 1,000 take about half a millisecond.
    expect(looked / tables).toBeLessThan(900);
    expect(longest).toBeLessThan(40_000);
  }, 120_000);

  test('tokens stay large on full tables', () => {
    const heights = mine.slice(0, 20).map((words) => fit(sceneFor(words, aspect, null).layout, aspect, 0).height * Math.sqrt(aspect));
    heights.sort((a, b) => a - b);
    expect(heights[10]).toBeLessThan(17); // square units of ground: its root, for the median game
    expect(heights[19]).toBeLessThan(23);
  }, 60_000);
});

test('the same moves give the same picture, laid at once, one by one, or gone on with', () => {
  for (const words of games.slice(0, 12)) {
    const once = sceneFor(words, 1.6, null);
    const half = sceneFor(words.slice(0, 20), 1.6, null);
    expect(sceneFor(words, 1.6, half).layout).toEqual(once.layout);
    const undone = sceneFor(words.slice(0, 15), 1.6, once);
    expect(undone.layout).toEqual(sceneFor(words.slice(0, 15), 1.6, null).layout);
  }
}, 60_000);

test('moves that lay nothing change nothing', () => {
  const words = games[0]!.slice(0, 10);
  const others = words.flatMap((word) => ['draw', word, 'draw', 'keep', 'pass']);
  expect(sceneFor(others, 1, null).layout).toEqual(sceneFor(words, 1, null).layout);
});

test('the frame only widens, and always holds everything', () => {
  const aspect = 1.2;
  for (const words of games.slice(0, 10)) {
    const growth = begin(aspect);
    let frame = fit(picture(growth), aspect, 5);
    for (const word of words) {
      lay(growth, word);
      const layout = picture(growth);
      const next = follow(frame, layout, aspect);
      expect(next.height).toBeGreaterThanOrEqual(frame.height);
      for (const { x, y } of [...layout.tokens, ...layout.ghosts]) {
        expect(Math.abs(x - next.x) + 0.6).toBeLessThanOrEqual((next.height / 2) * aspect);
        expect(Math.abs(y - next.y) + 0.6).toBeLessThanOrEqual(next.height / 2);
      }
      frame = next;
    }
  }
}, 60_000);
