/**
 * One table over its WebSocket, or over a worker that speaks like one: what the server says is folded into one store; what we say waits in an outbox until the
 * server has answered it. A message keeps its id for ever and the server acts on an id once, so after a lost connection
 * everything unanswered is simply said again: nothing is lost, nothing is played twice.
 */
import { writable, type Readable } from 'svelte/store';
import { SITE } from '../local/site';
import { socketTo } from '../local/tables';
import type { Thought } from '../local/thinker';
import type { GameEvent, Offer } from './board';
import { answerTo } from './fingerprint';
import { decisions, type Told } from './telling';
import type { Refusal } from './refusal';
import {
  VERSION,
  type ClockInfo,
  type Hello,
  type HintMove,
  type Incoming,
  type Outgoing,
  type Ponder,
  type React,
  type Snapshot,
  type TableInfo,
} from './messages';

export type View = Record<string, unknown> & { moves: string[]; over: boolean; to_move: number | null; scores: number[] };
export type EmoteName = React['emote'];
/** connecting: never seen the table yet · open · lost: trying again · reload: too old a page · gone: no such table. */
export type Link = 'connecting' | 'open' | 'lost' | 'reload' | 'gone';

export interface TableState {
  link: Link;
  /** How many entries the table's log had when this was the position. */
  number: number;
  table: TableInfo | null;
  seat: number | null;
  yours: number[];
  curtain: number | null;
  view: View | null;
  /** Every move of the game on the table: who, what, and what came of it. */
  told: Told[];
  legal: Offer[];
  undo: number;
  clock: ClockInfo | null;
  /** When `clock` was true, by performance.now(). */
  clockAt: number;
  events: GameEvent[];
  /** Grows with each new list of events. */
  tick: number;
  /** A move or an undo of ours is unanswered. */
  waiting: boolean;
  hint: HintMove[] | null;
  thinking: boolean;
  refused: (Refusal & { nth: number }) | null;
  emotes: { seat: number; emote: EmoteName; nth: number }[];
}

type Wish = Exclude<Incoming, { type: 'hello' | 'ping' | 'look' | 'emote' | 'recall' }>;
type Unnumbered = Wish extends infer W ? (W extends Wish ? Omit<W, 'id'> : never) : never;

/** A browser that finds hints itself, where it can. */
export interface OwnThinking {
  able(game: string): Promise<boolean>;
  advise(thought: Thought): Promise<HintMove[]>;
}

export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const PING_EVERY = 20_000;
const PONG_WITHIN = 8000;
const SOON = 1000;

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The decisions that are left when only so many words are. */
function shortened(told: Told[], words: number): Told[] {
  let left = words;
  return told.filter((one) => (left -= one.words.length) >= 0);
}

function address(table: string): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/tables/${encodeURIComponent(table)}/ws`;
}

export class Connection implements Readable<TableState> {
  #store = writable<TableState>({
    link: 'connecting',
    number: 0,
    table: null,
    seat: null,
    yours: [],
    curtain: null,
    view: null,
    told: [],
    legal: [],
    undo: 0,
    clock: null,
    clockAt: 0,
    events: [],
    tick: 0,
    waiting: false,
    hint: null,
    thinking: false,
    refused: null,
    emotes: [],
  });
  #state!: TableState;
  #outbox: Wish[] = [];
  #socket: Socket | null = null;
  #greeted = false;
  #closed = false;
  #tries = 0;
  #seen: number | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  #pong: ReturnType<typeof setTimeout> | undefined;
  #nth = 0;
  #brought = ''; // what this connection has answered last to a deal being prepared
  #open: () => Socket;
  #own: OwnThinking | null;
  #table: string;
  #hello: Hello;

  subscribe = this.#store.subscribe;

  /**
   * `ready`: what must be done before the socket opens (get an identity, so that we are known as ourselves); `screen`: this is a
   * big screen, which is nobody's.
   */
  constructor(
    table: string,
    open: () => Socket = () => (SITE ? socketTo(table) : (new WebSocket(address(table)) as unknown as Socket)),
    ready: Promise<unknown> | null = null,
    own: OwnThinking | null = null,
    screen = false,
  ) {
    this.#own = own;
    this.#open = open;
    this.#table = table;
    this.#hello = { type: 'hello', v: VERSION, ...(screen ? { screen } : {}) };
    this.#store.subscribe((state) => (this.#state = state));
    window.addEventListener('online', this.#hurry);
    window.addEventListener('offline', this.#probe);
    document.addEventListener('visibilitychange', this.#hurry);
    if (ready === null) this.#connect();
    else void ready.catch(() => undefined).then(() => this.#closed || this.#connect());
  }

  /** Leave the table's socket for good. */
  close(): void {
    this.#closed = true;
    window.removeEventListener('online', this.#hurry);
    window.removeEventListener('offline', this.#probe);
    document.removeEventListener('visibilitychange', this.#hurry);
    this.#drop();
    clearTimeout(this.#retry);
  }

  /** Play a word in the position now shown; ignored while another move is unanswered. */
  play(word: string): void {
    if (this.#state.waiting) return;
    this.say({ type: 'move', at: this.#state.number, word });
  }

  undo(): void {
    if (this.#state.waiting || this.#state.undo === 0) return;
    this.say({ type: 'undo', at: this.#state.number });
  }

  hint(): void {
    if (this.#state.thinking || !this.#greeted) return;
    const game = this.#state.table?.game;
    if (!this.#own || !game) return this.say({ type: 'hint' });
    this.#set({ thinking: true });
    void this.#own.able(game).then((here) => this.say({ type: 'hint', here }));
  }

  /** See the table from a seat of one's own, after the curtain. */
  look(seat: number): void {
    this.#seen = seat;
    this.#send({ type: 'look', seat });
  }

  emote(emote: EmoteName): void {
    this.#send({ type: 'emote', emote });
  }

  /** Say something that must be answered, now or when the connection is back. */
  say(wish: Unnumbered): void {
    const message = { ...wish, ...(wish.type === 'sit' ? { share: true } : {}), id: newId() } as Wish;
    this.#outbox.push(message);
    this.#noteOutbox();
    if (this.#greeted) this.#send(message);
  }

  /** Find a hint in this browser; if that fails, the server is asked from then on. */
  #ponder({ id, number, thought }: Ponder): void {
    this.#own?.advise(thought as unknown as Thought).then(
      (hint) => {
        if (this.#answered(id) && number === this.#state.number) this.#set({ hint });
      },
      (error: unknown) => {
        console.error(`a hint failed here: ${String(error)}`);
        this.#own = null;
        if (this.#answered(id)) this.say({ type: 'hint' });
      },
    );
  }

  #set(change: Partial<TableState>): void {
    this.#store.set({ ...this.#state, ...change });
  }

  #noteOutbox(): void {
    this.#set({
      waiting: this.#outbox.some((one) => one.type === 'move' || one.type === 'undo'),
      thinking: this.#outbox.some((one) => one.type === 'hint'),
    });
  }

  #connect(): void {
    clearTimeout(this.#retry);
    const socket = this.#open();
    this.#socket = socket;
    socket.onopen = () => {
      this.#send(this.#hello);
      this.#ping = setInterval(this.#probe, PING_EVERY);
    };
    this.#listen(socket);
  }

  /** The process that serves us is about to end: be at another one before it does, so that nobody notices. */
  #move(): void {
    const before = this.#socket;
    if (before === null) return;
    const socket = this.#open();
    socket.onopen = () => socket.send(JSON.stringify(this.#hello));
    socket.onmessage = (event) => {
      const message = JSON.parse(String(event.data)) as Outgoing;
      if (this.#socket !== before || message.type !== 'snapshot') return socket.close();
      this.#socket = socket;
      this.#listen(socket);
      before.close();
      this.#greeted = false;
      this.#heard(message);
    };
    // The other one may just be starting: it is tried again for as long as this one serves us.
    socket.onclose = () => setTimeout(() => this.#socket === before && this.#move(), FIRST_WAIT);
  }

  #listen(socket: Socket): void {
    socket.onmessage = (event) => {
      clearTimeout(this.#pong);
      this.#pong = undefined;
      this.#heard(JSON.parse(String(event.data)) as Outgoing);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  /** Let the socket go without hearing of it again. */
  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#greeted = false;
    clearInterval(this.#ping);
    clearTimeout(this.#pong);
    this.#pong = undefined;
    socket?.close();
  }

  #lost(): void {
    this.#drop();
    if (this.#closed || this.#state.link === 'reload' || this.#state.link === 'gone') return;
    this.#outbox = this.#outbox.filter((one) => one.type !== 'hint'); // asked again by whoever still wants it
    this.#noteOutbox();
    if (this.#state.table !== null) this.#set({ link: 'lost' });
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++);
    this.#retry = setTimeout(() => this.#connect(), wait * (0.5 + Math.random() / 2));
  }

  /** The network or the person is back: do not wait for the next try. */
  #hurry = (): void => {
    if (this.#closed || document.visibilityState === 'hidden') return;
    if (this.#socket === null && (this.#state.link === 'lost' || this.#state.link === 'connecting')) {
      this.#tries = 0;
      this.#connect();
    } else this.#probe();
  };

  /** Ask for a sign of life, and take silence for a lost connection. */
  #probe = (): void => {
    if (!this.#greeted || this.#pong !== undefined) return;
    this.#send({ type: 'ping' });
    this.#pong = setTimeout(() => this.#lost(), PONG_WITHIN);
  };

  #send(message: Incoming): void {
    if (this.#socket === null || (!this.#greeted && message.type !== 'hello')) return;
    try {
      this.#socket.send(JSON.stringify(message));
    } catch {
      this.#lost();
    }
  }

  #answered(id: string | undefined): Wish | undefined {
    const found = this.#outbox.find((one) => one.id === id);
    if (found) {
      this.#outbox = this.#outbox.filter((one) => one !== found);
      this.#noteOutbox();
    }
    return found;
  }

  /** The moves of a snapshot, with what we know of them; the rest is asked for (`recall`). */
  #retold(message: Snapshot): Told[] {
    const { table, seat, told } = this.#state;
    const words = (message.view as View | null)?.moves ?? [];
    const fresh = decisions(words, message.movers, (who) => (who === null ? '' : (message.table.seats[who]?.name ?? '')));
    if (table?.playing !== message.table.playing || seat !== message.seat) return fresh; // other eyes know other things
    const events = message.events as unknown as GameEvent[];
    return fresh.map((one, i) => {
      const known = told[i];
      if (known?.words.join() === one.words.join()) return known;
      return { ...one, events: events.length > 0 && i === told.length && i === fresh.length - 1 ? events : null };
    });
  }

  /** Bring this browser's share to a deal being prepared: first sealed, then opened. */
  #bring({ table, yours }: Snapshot, anew: boolean): void {
    const { sealing } = table;
    if (anew) this.#brought = '';
    if (!sealing || this.#outbox.some((one) => one.type === 'seal' || one.type === 'show')) return;
    const step = `${sealing.round} ${sealing.fingerprint ?? ''}`;
    const answer = this.#brought === step ? null : answerTo(table.id, table, yours, anew);
    if (answer === null) return;
    this.#brought = step;
    this.say(answer);
  }

  #heard(message: Outgoing): void {
    switch (message.type) {
      case 'snapshot': {
        message.table.id = this.#table; // what this browser keeps of a deal, it keeps by the address that it opened itself
        this.#answered(message.id);
        const resumed = !this.#greeted;
        this.#greeted = true;
        this.#tries = 0;
        this.#set({
          link: 'open',
          number: message.number,
          table: message.table,
          seat: message.seat,
          yours: message.yours,
          curtain: message.curtain,
          view: message.view as View | null,
          told: this.#retold(message),
          legal: message.legal as unknown as Offer[],
          undo: message.undo,
          clock: message.clock,
          clockAt: performance.now(),
          events: message.events as unknown as GameEvent[],
          tick: this.#state.tick + 1,
          hint: null,
        });
        if (this.#state.told.some((one) => one.events === null)) this.#send({ type: 'recall' });
        if (!resumed) {
          this.#bring(message, false);
          break;
        }
        // The eyes we had before the connection was lost: the curtain was already lifted for them.
        if (this.#seen !== null && (message.curtain === this.#seen || (message.seat === null && message.curtain === null))) {
          if (message.yours.length > 1) this.look(this.#seen);
        }
        for (const waiting of this.#outbox) this.#send(waiting);
        this.#bring(message, true);
        break;
      }
      case 'update': {
        this.#answered(message.id);
        const { view, told, table } = this.#state;
        if (view === null) break;
        const events = message.events as unknown as GameEvent[];
        const name = table?.seats[view.to_move ?? -1]?.name ?? '';
        const move: Told = { seat: view.to_move, name, words: message.words, events };
        this.#set({
          number: message.number,
          told: message.moves === undefined ? [...told, move] : shortened(told, message.moves.length),
          view: { ...view, ...message.position, moves: message.moves ?? [...view.moves, ...message.words] } as View,
          legal: message.legal as unknown as Offer[],
          undo: message.undo,
          clock: message.clock === undefined ? this.#state.clock : message.clock,
          clockAt: message.clock === undefined ? this.#state.clockAt : performance.now(),
          events,
          tick: this.#state.tick + 1,
          hint: null,
        });
        break;
      }
      case 'refused': {
        if (!this.#greeted && message.code === 'not_found') {
          this.#set({ link: 'gone' });
          this.#drop();
          break;
        }
        const wish = this.#outbox.find((one) => one.id === message.id);
        const share = wish?.type === 'seal' || wish?.type === 'show'; // nobody asked for it, so nobody is told
        if ((message.code === 'too_fast' && wish && wish.type !== 'hint') || (message.code === 'not_saved' && share)) {
          setTimeout(() => {
            if (this.#greeted && this.#outbox.includes(wish)) this.#send(wish);
          }, SOON);
          break;
        }
        this.#answered(message.id);
        if (share) break;
        const { code, reason, values } = message as Refusal;
        this.#set({ refused: { code, reason, values, nth: ++this.#nth } });
        break;
      }
      case 'recalled':
        if (message.seat === this.#state.seat && message.moves.length === this.#state.told.length)
          this.#set({ told: message.moves as unknown as Told[] });
        break;
      case 'accepted':
        this.#answered(message.id);
        break;
      case 'hinted': {
        const asked = this.#answered(message.id);
        if (asked && message.number === this.#state.number) this.#set({ hint: message.moves });
        break;
      }
      case 'ponder':
        this.#ponder(message);
        break;
      case 'presence': {
        const table = this.#state.table;
        if (table === null) break;
        const seats = table.seats.map((seat, i) => ({
          ...seat,
          here: message.here[i] ?? seat.here,
          may_replace: message.may_replace[i] ?? false,
        }));
        this.#set({
          table: { ...table, seats, watching: message.watching, host_away: message.host_away ?? false, screens: message.screens ?? 0 },
        });
        break;
      }
      case 'warming':
        if (this.#state.table !== null) this.#set({ table: { ...this.#state.table, warming: message.warming } });
        break;
      case 'emoted': {
        const shown = { seat: message.seat, emote: message.emote, nth: ++this.#nth };
        this.#set({ emotes: [...this.#state.emotes.filter((one) => one.seat !== message.seat), shown] });
        break;
      }
      case 'reload':
        this.#set({ link: 'reload' });
        this.#drop();
        break;
      case 'moving':
        setTimeout(() => this.#closed || this.#socket === null || this.#move(), Math.random() * SOON * 0.3);
        break;
      case 'pong':
        break;
    }
  }
}
