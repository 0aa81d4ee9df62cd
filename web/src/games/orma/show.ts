// What just happened, shown: tokens arrive, points fly to who scored them, rows light up.
import type { GameEvent } from '../../lib/board';
import { still } from '../../lib/moving';
import type Ground from './Ground.svelte';
import { arrive, glow, nod, send } from './motion';
import type Tray from './Tray.svelte';
import type { Colour, TokenLaid } from './types';

interface Board {
  root: HTMLElement;
  /** Where things fly. */
  air: HTMLElement;
  ground: ReturnType<typeof Ground>;
  tray: ReturnType<typeof Tray> | undefined;
  seat: number | null;
  /** The token laid last, by its number on the ground. */
  last: number;
  /** What one has just drawn oneself. */
  drawn: Colour | null;
}

/** Show events; return the points that were scored by them. */
export function show(events: GameEvent[], board: Board): number | null {
  let gain: number | null = null;
  for (const event of events) {
    const seatBox = board.root.querySelector(`[data-seat="${event.seat}"]`);
    if (event.type === 'token_laid') showLaid(event as TokenLaid, seatBox, board);
    else if (event.type === 'token_drawn') showDrawn(event, seatBox, board);
    else if (event.type === 'row_closed') glow(board.ground.bandOf(Number(event.row)));
    else if (event.type === 'token_kept' || event.type === 'passed') nod(seatBox);
    else if (event.type === 'points_scored') showPoints((gain = Number(event.points)), event, board);
  }
  return gain;
}

function showLaid(event: TokenLaid, seatBox: Element | null, { ground, tray, seat, last }: Board): void {
  const element = ground.tokenAt(last);
  const from = (event.seat === seat ? tray?.stackOf(event.colour) : null) ?? seatBox?.querySelector('.face') ?? seatBox;
  if (element && from) arrive(element, from.getBoundingClientRect(), ground.boxOf(last), ground.scale());
}

function showPoints(gain: number, event: GameEvent, { root, air, ground, last }: Board): void {
  const to = root.querySelector(`[data-points="${event.seat}"]`);
  if (still() || !to) return;
  const points = document.createElement('b');
  points.className = 'flying plus';
  points.textContent = `+${gain}`;
  send(points, ground.boxOf(last), to.getBoundingClientRect(), air);
  nod(to);
}

function showDrawn(event: GameEvent, seatBox: Element | null, { root, air, tray, seat, drawn }: Board): void {
  const heap = root.querySelector('.pile-of-all');
  if (still() || !heap) return;
  const from = heap.getBoundingClientRect();
  const stack = event.seat === seat && drawn ? tray?.stackOf(drawn) : null;
  if (stack) return arrive(stack, from, stack.getBoundingClientRect(), 1);
  const to = seatBox?.querySelector('.face') ?? seatBox;
  if (!to) return;
  const back = document.createElement('i');
  back.className = 'flying back';
  send(back, from, to.getBoundingClientRect(), air);
}
