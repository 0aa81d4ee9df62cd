/** How long each kind of move takes to be seen, and what pleases whoever made it. */
import type { GameEvent } from '../../lib/board';

const GREAT = 6;

export function lasts(events: GameEvent[]): number {
  if (events.some((event) => event.type === 'row_closed')) return 1300;
  return events.some((event) => event.type === 'token_laid') ? 950 : 650;
}

export function mood(events: GameEvent[], seat: number): 'glad' | 'vexed' | null {
  return events.some((event) => event.type === 'points_scored' && event.seat === seat && Number(event.points) >= GREAT) ? 'glad' : null;
}
