/**
 * What happens at a table, shown one thing after the other: a move that arrives while the last one still lands waits for
 * it. What is said to us alone (a refusal, a hint, the connection) is shown at once. While nobody looks, nothing waits.
 */
import { writable, type Readable, type Subscriber, type Unsubscriber } from 'svelte/store';
import type { GameEvent } from './board';
import type { TableState } from './connection';

/** How long to wait after something was shown, in milliseconds. */
export type Holds = (shown: TableState) => number;

type Staged = Pick<
  TableState,
  'number' | 'table' | 'seat' | 'yours' | 'curtain' | 'view' | 'told' | 'legal' | 'undo' | 'clock' | 'clockAt' | 'events' | 'tick'
>;

const MANY = 8; // so far behind, it catches up

const staged = (state: TableState): Staged => {
  const { number, table, seat, yours, curtain, view, told, legal, undo, clock, clockAt, events, tick } = state;
  return { number, table, seat, yours, curtain, view, told, legal, undo, clock, clockAt, events, tick };
};

export class Director implements Readable<TableState> {
  #store = writable<TableState>();
  #shown!: TableState;
  #queue: Staged[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: Unsubscriber;
  #holds: Holds;

  constructor(source: Readable<TableState>, holds: Holds) {
    this.#holds = holds;
    this.#stop = source.subscribe((state) => this.#heard(state));
    document.addEventListener('visibilitychange', this.#hurry);
  }

  subscribe(run: Subscriber<TableState>): Unsubscriber {
    return this.#store.subscribe(run);
  }

  close(): void {
    this.#stop();
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#hurry);
  }

  #set(state: TableState): void {
    this.#shown = state;
    this.#store.set(state);
  }

  #heard(state: TableState): void {
    const last = this.#queue.at(-1)?.tick ?? this.#shown?.tick;
    if (last === undefined || this.#atOnce(state)) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#queue = [];
      this.#set(state);
      this.#wait();
      return;
    }
    if (state.tick !== last) this.#queue.push(staged(state));
    else if (this.#queue.length > 0) this.#queue[this.#queue.length - 1] = staged(state);
    if (this.#queue.length === 0) this.#set(state);
    else {
      this.#set({ ...state, ...staged(this.#shown), hint: null });
      if (this.#timer === undefined) this.#next();
    }
  }

  /** A first look, other eyes, another game: there is nothing to follow. A move of one's own answers the hand. */
  #atOnce({ table, seat, curtain, link, tick, told }: TableState): boolean {
    const { table: before, seat: eyes } = this.#shown;
    return (
      document.hidden ||
      link === 'gone' ||
      before === null ||
      table === null ||
      before.id !== table.id ||
      before.playing !== table.playing ||
      eyes !== seat ||
      (seat !== null && this.#queue.length === 0 && tick !== this.#shown.tick && told.at(-1)?.seat === seat) ||
      curtain !== this.#shown.curtain
    );
  }

  #next(): void {
    const frame = this.#queue.shift();
    this.#timer = undefined;
    if (frame === undefined) return;
    this.#set({ ...this.#shown, ...frame, hint: null });
    this.#wait();
  }

  #wait(): void {
    const hold = this.#shown.events.length === 0 ? 0 : this.#holds(this.#shown);
    const behind = this.#queue.length > MANY ? 0.3 : 1;
    this.#timer = hold > 0 ? setTimeout(() => this.#next(), hold * behind) : undefined;
    if (hold <= 0 && this.#queue.length > 0) this.#next();
  }

  #hurry = (): void => {
    if (!document.hidden || this.#queue.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const last = this.#queue.at(-1)!;
    this.#queue = [];
    this.#set({ ...this.#shown, ...last });
  };
}

/** How long events take to be seen where a game does not say. */
export const LASTS = 700;
export const anyLasts = (events: GameEvent[]): number => (events.length === 0 ? 0 : LASTS);
