/** How any game ends: in its own words, with what the last view says of a seat. */
import { plain } from '../../lib/sentences';
import type { EndFacts, GameEnd } from '../contract';
import Sums from './Sums.svelte';
import { said } from './words';

function reason({ game, ending, names, winners }: EndFacts): string {
  const [winner] = winners;
  const found = said(game, `ending.${ending}`, { winner }, names);
  return found ?? (ending === '' ? '' : `${plain(ending).charAt(0).toUpperCase()}${plain(ending).slice(1)}.`);
}

export default { reason, Sums } satisfies GameEnd;
