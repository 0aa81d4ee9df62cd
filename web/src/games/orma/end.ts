/** How a game ends: why, and the points colour by colour. */
import type { EndFacts, GameEnd } from '../contract';
import Decor from './Decor.svelte';
import Sums from './Sums.svelte';
import { text } from './text';

function reason({ ending, view, names, you }: EndFacts): string {
  const t = text().end;
  if (ending === 'everyone passed') return t.passed();
  const done = (view.hand_sizes as number[]).indexOf(0);
  if (ending !== 'a hand is empty' || done < 0) return '';
  return done === you ? t.handEmptyYou() : t.handEmpty({ name: names[done] ?? '' });
}

export default { reason, Sums, Decor } satisfies GameEnd;
