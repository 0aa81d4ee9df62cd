// What lies near: room for a badge, the next place in a direction.

import { COS, SIN } from './ground';
import type { Layout } from './layout';

interface Point {
  x: number;
  y: number;
}

const RIM = 0.45;

/** On the rim of a token, the point with most room around. */
export function rim({ tokens, ghosts }: Layout, token: Point): Point {
  const near = [...tokens, ...ghosts].filter((o) => o !== token && Math.abs(o.x - token.x) + Math.abs(o.y - token.y) < 3);
  let best = { x: token.x, y: token.y, room: -1 };
  for (let h = 0; h < 12; h++) {
    const x = token.x + RIM * COS[(h + 10) % 12]!;
    const y = token.y + RIM * SIN[(h + 10) % 12]!;
    const room = Math.min(9, ...near.map((o) => Math.hypot(o.x - x, o.y - y)));
    if (room > best.room + 0.02) best = { x, y, room };
  }
  return best;
}

/** The nearest spot in a direction; ground to the side counts double, and spots more beside than ahead come last. */
export function inDirection<Spot extends Point>(spots: Spot[], from: Spot, [dx, dy]: [number, number]): Spot | null {
  let found: Spot | null = null;
  let least = Infinity;
  for (const spot of spots) {
    const along = (spot.x - from.x) * dx + (spot.y - from.y) * dy;
    const beside = Math.abs((spot.x - from.x) * dy) + Math.abs((spot.y - from.y) * dx);
    if (spot === from || along <= 0.01) continue;
    const cost = along + 2 * beside + (beside > 1.2 * along ? 100 : 0);
    if (cost < least) [found, least] = [spot, cost];
  }
  return found;
}
