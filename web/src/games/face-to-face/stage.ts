/** How long each kind of move takes to be seen, and what pleases whoever made it. */
import type { GameEvent } from '../../lib/board';

export function lasts(events: GameEvent[]): number {
  const laid = events.find((event) => event.type === 'card_laid');
  if (laid) return laid.back || laid.gift ? 1300 : 850;
  return events.some((event) => event.type === 'cards_drawn') ? 900 : 500;
}

export function mood(events: GameEvent[], seat: number): 'glad' | 'vexed' | null {
  return events.some((event) => event.type === 'card_laid' && event.seat === seat && event.back) ? 'glad' : null;
}
