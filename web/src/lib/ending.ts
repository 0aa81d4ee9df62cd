/** A game that is over, in a sentence: who won, and why it ended. */
import { pageOf } from '../games';
import type { GameEnd } from '../games/contract';
import type { View } from './connection';
import { titleOf } from './games.svelte';
import type { LL } from './i18n.svelte';
import type { TableInfo } from './messages';
import { listed } from './names';
import { minus } from './sentences';

/** What there is to tell, and to whom: `you` is null for everyone. */
export interface Ended {
  table: TableInfo;
  view: View;
  names: string[];
  you: number | null;
  LL: LL;
}

const resultOf = (table: TableInfo) => table.results[table.results.length - 1];
export const winnersOf = (table: TableInfo): number[] => resultOf(table)?.winners ?? [];
export const scoreOf = ({ table, view }: Pick<Ended, 'table' | 'view'>, seat: number): number =>
  resultOf(table)?.scores[seat] ?? view.scores[seat] ?? 0;

export function whoWon(ended: Ended): string {
  const { table, names, you, LL } = ended;
  const winners = winnersOf(table);
  const [first] = winners;
  if (first === undefined) return titleOf(table.game);
  const score = scoreOf(ended, first);
  const n = score < 0 ? minus(score) : score;
  const name = names[first] ?? '';
  const called = winners.map((seat) => (seat === you ? LL.you() : (names[seat] ?? '')));
  if (winners.length > 1) return LL.end.share({ names: listed(called, LL), n });
  const counts = pageOf(table.game).points(resultOf(table)?.scores ?? []);
  if (first === you) return counts ? LL.end.youWin({ n }) : LL.end.youWinPlain();
  return counts ? LL.end.wins({ name, n }) : LL.end.winsPlain({ name });
}

/** Why it ended; `end` is the game's own part of it, once that is there. */
export function whyOver({ table, view, names, you, LL }: Ended, end: GameEnd | null): string {
  const winners = winnersOf(table);
  const ending = resultOf(table)?.ending ?? '';
  const losers = names.flatMap((name, seat) => (winners.includes(seat) ? [] : [{ name, seat }]));
  if (ending === 'withheld')
    return LL.end.withheld({
      names: listed(
        losers.map(({ name }) => name),
        LL,
      ),
    });
  if (ending !== 'clock') return end?.reason({ game: table.game, ending, view, names, winners, you }) ?? '';
  return losers[0]?.seat === you ? LL.end.clockYou() : LL.end.clock({ name: losers[0]?.name ?? '' });
}
