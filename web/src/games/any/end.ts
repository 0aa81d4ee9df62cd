/** How any game ends: in its own words, with what the last view says of a seat. */
import { plain, whole } from '../../lib/sentences';
import type { EndFacts, GameEnd } from '../contract';
import Sums from './Sums.svelte';
import { said } from './words';

function reason({ game, ending, names, winners }: EndFacts): string {
  const [winner] = winners;
  return ending === '' ? '' : whole(said(game, `ending.${ending}`, { winner }, names) ?? plain(ending));
}

export default { reason, Sums } satisfies GameEnd;
