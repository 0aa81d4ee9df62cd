/** How long each kind of move takes to be seen, and what pleases or vexes whoever made it. */
import type { GameEvent } from '../../lib/board';

const GREAT = 10;

export function lasts(events: GameEvent[]): number {
  const all = (type: string): GameEvent[] => events.filter((event) => event.type === type);
  if (all('turn_skipped').length > 0) return 2100; // the dice show themselves, and go home
  const dice = ((all('dice_rolled')[0]?.dice ?? []) as number[]).length;
  const cards = all('card_taken').length;
  return Math.max(dice ? 1100 + 40 * dice : 0, cards ? 800 + 300 * (cards - 1) : 0, 650);
}

export function mood(events: GameEvent[], seat: number): 'glad' | 'vexed' | null {
  if (events.some((event) => event.type === 'turn_skipped' && event.seat === seat)) return 'vexed';
  const won = events.filter((event) => event.type === 'points_changed' && event.seat === seat);
  const change = won.reduce((sum, event) => sum + Number(event.change), 0);
  return change >= GREAT ? 'glad' : change <= -GREAT / 2 ? 'vexed' : null;
}
