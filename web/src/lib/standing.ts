/** How a table stands, in a line. */
import { pageOf } from '../games';
import { titleOf } from './games.svelte';
import type { LL } from './i18n.svelte';
import type { TableInfo } from './messages';
import { listed, namesOf } from './names';

/** Tell whether it is one's own turn. */
export function isYourTurn(table: TableInfo): boolean {
  return table.to_move !== null && table.seats[table.to_move]?.you === true;
}

/** Tell a table in a list by its game and who else sits there. */
export function described(table: TableInfo, LL: LL): string {
  const others = table.seats.filter((seat) => !seat.you && seat.kind !== 'open').map((seat) => seat.name);
  return others.length === 0 ? titleOf(table.game) : LL.mine.with({ game: titleOf(table.game), names: others.join(', ') });
}

/** Tell how a table stands, or how its last game ended. */
export function standing(table: TableInfo, LL: LL): string {
  if (table.phase === 'waiting') return LL.mine.waiting();
  if (table.phase === 'between') return LL.mine.between();
  if (table.phase === 'over') {
    const last = table.results[table.results.length - 1];
    if (!last) return LL.mine.over();
    const names = namesOf(table, LL);
    if (last.ending === 'withheld')
      return LL.end.withheld({
        names: listed(
          names.filter((_, seat) => !last.winners.includes(seat)),
          LL,
        ),
      });
    const [winner = -1] = last.winners;
    const alone = table.seats.filter((seat) => seat.you).length === 1;
    const won = alone && table.seats[winner]?.you ? LL.end.youWinPlain() : LL.end.winsPlain({ name: names[winner] ?? '' });
    const who = last.winners.length === 1 ? won.replace(/\.$/, '') : LL.mine.over();
    return !pageOf(table.game).points(last.scores) ? who : `${who} · ${last.scores.map((n) => String(n).replace('-', '−')).join(' : ')}`;
  }
  return LL.mine.playing();
}
