/** How a game that was played in a room went, in a sentence. */
import { pageOf } from '../games';
import type { RoomInfo } from './api';
import type { LL } from './i18n.svelte';
import { listed } from './names';
import { minus } from './sentences';

type Past = RoomInfo['games'][number];

export function resultOf({ winners, you, names, scores, game, ending }: Past, LL: LL): string {
  const named = (seats: number[]) =>
    listed(
      seats.map((seat) => names[seat] ?? ''),
      LL,
    );
  const lost = [...names.keys()].filter((seat) => !winners.includes(seat));
  const [first] = winners;
  const alone = you.length === 1; // several seats of one device are several people
  if (ending === 'withheld') return LL.end.withheld({ names: named(lost) });
  if (ending === 'clock') return alone && lost[0] === you[0] ? LL.end.clockYou() : LL.end.clock({ name: named(lost) });
  if (first === undefined) return LL.mine.over();
  const score = scores[first] ?? 0;
  const n = score < 0 ? minus(score) : score;
  if (winners.length > 1) return LL.end.share({ names: named(winners), n });
  const counts = pageOf(game).points(scores);
  if (alone && you[0] === first) return counts ? LL.end.youWin({ n }) : LL.end.youWinPlain();
  const name = names[first] ?? '';
  return counts ? LL.end.wins({ name, n }) : LL.end.winsPlain({ name });
}
