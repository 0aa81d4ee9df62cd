/** How long to look at what happened before the next thing does: by kind of move, by whose it is, as one likes it. */
import { pageOf } from '../games';
import { tempoOf } from './bots';
import type { TableState } from './connection';
import { anyLasts } from './director';
import { tempo } from './pace.svelte';

export function holds({ table, events, told }: TableState): number {
  const mover = table?.seats[told.at(-1)?.seat ?? -1];
  const lasts = (table && pageOf(table.game).lasts) ?? anyLasts;
  return lasts(events) * tempo.times * (mover?.kind === 'bot' ? tempoOf(mover.name) : 1);
}
