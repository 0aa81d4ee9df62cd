/** How a game ends: why, and the cards that were laid. */
import type { EndFacts, GameEnd } from '../contract';
import Sums from './Sums.svelte';
import { text } from './text';

function reason({ ending, names, winners, you }: EndFacts): string {
  const t = text().end;
  const [winner = 0] = winners;
  const loser = 1 - winner;
  if (ending === 'all 58 laid') return winner === you ? t.allLaidYou() : t.allLaid({ name: names[winner] ?? '' });
  if (ending !== 'cannot lay two') return '';
  return loser === you ? t.stuckYou() : t.stuck({ name: names[loser] ?? '' });
}

const heading = (name: string | null): string => (name === null ? text().end.yourCards() : text().end.cardsOf({ name }));

export default { reason, Sums, heading, chart: () => text().end.chartCards() } satisfies GameEnd;
