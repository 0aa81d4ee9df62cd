/** How a game ends: why, and the sums colour by colour. */
import type { EndFacts, GameEnd } from '../contract';
import Decor from './Decor.svelte';
import Sums from './Sums.svelte';
import { text } from './text';

function reason({ ending }: EndFacts): string {
  const t = text().end;
  if (ending === 'most points') return t.mostPoints();
  if (ending === 'tie: most sock cards') return t.tieSocks();
  return ending === 'tie: named by the basket holder' ? t.tieNamed() : '';
}

export default { reason, Sums, Decor } satisfies GameEnd;
