/** What moves when something happens: cards and dice that fly, dice that tumble out of the basket. */
import { tick as rendered } from 'svelte';
import { animate, boxIn, tumble, type Box } from './motion';
import type { Flown, SockEvent } from './types';

type Taken = { seat: number; deck: number; card: string };

export class Flights {
  /** What is in the air. */
  flown = $state<Flown[]>([]);
  /** Dice of a skipped turn: they show themselves and go home. */
  aside = $state<{ id: number; dice: number[] } | null>(null);
  #next = 0;
  readonly #board: () => HTMLElement;

  constructor(board: () => HTMLElement) {
    this.#board = board;
  }

  show(events: SockEvent[]): void {
    let at = 0;
    for (const event of events) {
      if (event.type === 'card_taken') {
        this.#fly(event, at);
        at += 60;
      } else if (event.type === 'die_returned' && !events.some((other) => other.type === 'turn_skipped')) this.#sendHome(event.deck, at);
      else if (event.type === 'dice_rolled') this.#spill(event.dice, at ? at + 200 : 0);
    }
  }

  land(id: number): void {
    this.flown = this.flown.filter((one) => one.id !== id);
  }

  #basketBox(): Box {
    const root = this.#board();
    const basket = root.querySelector('[data-basket]');
    const box = basket && basket.clientWidth ? boxIn(root, basket) : null;
    const side = (root.querySelector('.dice')?.clientHeight ?? 0) || 34;
    const frame = box ?? { x: root.clientWidth / 2, y: root.clientHeight - 60, width: 0, height: 0 };
    return { x: frame.x + frame.width / 2 - side / 2, y: frame.y + frame.height * 0.25, width: side, height: side };
  }

  #fly(taken: Taken, delay: number): void {
    const root = this.#board();
    const from = root.querySelector(`[data-deck="${taken.deck}"] .pile`);
    const suit = taken.card.split(':')[0];
    const column = root.querySelector(`[data-land="${taken.seat}:${suit}"]`);
    const cards = column?.querySelectorAll(`[data-card="${taken.card}"]`);
    const to = cards?.[cards.length - 1] ?? column;
    if (!from || !to) return;
    this.flown.push({ id: this.#next++, kind: 'card', card: taken.card, from: boxIn(root, from), to: boxIn(root, to), delay });
    if (to !== column) animate(to, [{ opacity: 0 }, { opacity: 0 }], { duration: delay + 200 });
    else animate(column, [{ scale: 1 }, { scale: 1.25 }, { scale: 1 }], { duration: 260, delay: delay + 180 });
  }

  #sendHome(face: number, delay: number): void {
    const root = this.#board();
    const dice = root.querySelector(`[data-deck="${face}"] .dice`);
    if (!dice) return;
    const to = this.#basketBox();
    const box = boxIn(root, dice);
    const side = to.width;
    const from = { x: box.x, y: box.y + box.height - side, width: side, height: side };
    this.flown.push({ id: this.#next++, kind: 'die', face, from, to, delay });
  }

  #spill(dice: number[], delay: number): void {
    const root = this.#board();
    animate(
      root.querySelector('[data-basket] .tip-over'),
      [
        { rotate: '0deg' },
        { rotate: '-5deg', offset: 0.1 },
        { rotate: '14deg', offset: 0.35 },
        { rotate: '14deg', offset: 0.7 },
        { rotate: '0deg' },
      ],
      { duration: 700, delay, easing: 'cubic-bezier(.6,0,.3,1)' },
      true,
    );
    const from = this.#basketBox();
    const lie = [...root.querySelectorAll<HTMLElement>('[data-die]')];
    lie.forEach((die, i) => {
      const to = boxIn(root, die);
      const dx = from.x + from.width / 2 - to.x - to.width / 2;
      const dy = from.y + from.height / 2 - to.y - to.height / 2;
      animate(die, tumble(dx, dy, i % 2 ? 620 : -560), { duration: 700, delay: delay + 40 * i, fill: 'backwards' }, true);
    });
    if (lie.length === 0) void this.#spillAside(dice, delay);
  }

  async #spillAside(dice: number[], delay: number): Promise<void> {
    const root = this.#board();
    const id = this.#next++;
    this.aside = { id, dice };
    await rendered();
    const from = this.#basketBox();
    const shown = [...root.querySelectorAll<HTMLElement>('[data-aside]')].map((die, i) => {
      const to = boxIn(root, die);
      const dx = from.x - to.x;
      const dy = from.y - to.y;
      const frames: Keyframe[] = tumble(dx, dy, i % 2 ? 500 : -500).map((frame) => ({ ...frame, offset: Number(frame.offset) * 0.42 }));
      frames.push({ offset: 0.85, transform: 'none' }, { offset: 1, transform: `translate(${dx}px, ${dy}px) scale(.5)` });
      return animate(die, frames, { duration: 1600, delay: delay + 40 * i, fill: 'both' }, true)?.finished;
    });
    await Promise.allSettled(shown);
    if (this.aside?.id === id) this.aside = null;
  }
}
