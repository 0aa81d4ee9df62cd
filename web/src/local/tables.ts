/** The page's end of the worker that has this browser's tables: questions, and sockets as a server would have them. */
import { writable } from 'svelte/store';
import { Problem, type Replay } from '../lib/api';
import type { Socket } from '../lib/connection';
import type { HintMove, TableInfo, TableSettings } from '../lib/messages';
import type { Sight } from '../lib/seen';
import { remembered } from '../lib/storage';
import { engineFile } from './site';
import type { Thought } from './thinker';
import type { Said, Wish } from './worker';

type Asked = Extract<Wish, { ask: number }>;
type Question = Asked extends infer W ? (W extends Asked ? Omit<W, 'ask'> : never) : never;

/** Whether this browser stores the games; whether a bot waits for a file that cannot be had just now. */
export const kept = writable(true);
export const waits = writable(false);

let worker: Worker | null = null;
let nth = 0;
const asked = new Map<number, { found: (value: never) => void; refused: (problem: Problem) => void }>();
const sockets = new Map<number, LocalSocket>();

function start(): Worker {
  const made = new Worker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: JSON.stringify({ engine: engineFile(''), pace: Number(remembered('botPace') ?? 700) }),
  });
  made.onmessage = ({ data }: MessageEvent<Said>) => {
    if (made === worker) hear(data);
  };
  made.onerror = (event) => {
    event.preventDefault();
    if (made === worker) broken(event.message, 'internal');
  };
  return made;
}

/** The worker has ended: who waits is told, and whoever is at a table connects again, to a new one. */
function broken(why: string, code: 'internal' | 'offline'): void {
  console.error(`the tables' worker ended: ${why}`);
  worker?.terminate();
  worker = null;
  waits.set(false);
  for (const [n, { refused }] of [...asked]) {
    asked.delete(n);
    refused(new Problem(code, why));
  }
  for (const [n, socket] of [...sockets]) {
    sockets.delete(n);
    socket.onclose?.();
  }
}

function hear(said: Said): void {
  if ('broken' in said) broken(said.broken, said.missing ? 'offline' : 'internal');
  else if ('kept' in said) kept.set(said.kept);
  else if ('waits' in said) waits.set(said.waits);
  else if ('answer' in said) {
    const one = asked.get(said.answer);
    asked.delete(said.answer);
    if ('refused' in said) {
      const { code, text, reason, values } = said.refused;
      one?.refused(new Problem(code, text, reason ?? undefined, values));
    } else one?.found(said.found as never);
  } else {
    const socket = sockets.get(said.socket);
    if ('say' in said) socket?.onmessage?.({ data: said.say });
    else {
      sockets.delete(said.socket);
      socket?.onclose?.();
    }
  }
}

const tell = (wish: Wish): void => (worker ??= start()).postMessage(wish);

function ask<T>(question: Question): Promise<T> {
  return new Promise((found, refused) => {
    const n = ++nth;
    asked.set(n, { found, refused });
    tell(JSON.parse(JSON.stringify({ ...question, ask: n })) as Wish); // what the page watches (Svelte) cannot be sent as it is
  });
}

/** A table in this browser, to a connection as a WebSocket would be. */
class LocalSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  #n = ++nth;

  constructor(table: string) {
    sockets.set(this.#n, this);
    tell({ socket: this.#n, open: table });
    queueMicrotask(() => this.onopen?.());
  }

  send(text: string): void {
    tell({ socket: this.#n, say: text });
  }

  close(): void {
    if (sockets.delete(this.#n)) tell({ socket: this.#n, close: true });
  }
}

export const socketTo = (table: string): Socket => new LocalSocket(table);
export const openTable = (name: string, settings: TableSettings): Promise<string> => ask({ what: 'open', name, settings });
export const myTables = (): Promise<TableInfo[]> => ask({ what: 'mine' });
export const recordOf = (table: string, game: number): Promise<Record<string, unknown>> => ask({ what: 'record', table, game });
export const replayOf = (table: string, game: number, seat: number | null): Promise<Replay> => ask({ what: 'replay', table, game, seat });
/** Open a table that goes on from a finished game after so many words; its id. */
export const tryAgain = (table: string, game: number, name: string, moves: number, seat: number): Promise<string> =>
  ask({ what: 'again', table, game, name, moves, seat });
/** Find the best moves, and why, from what a seat may know. */
export const adviseOn = (thought: Thought): Promise<HintMove[]> => ask({ what: 'advise', thought });
export const importRecord = (record: Record<string, unknown>): Promise<string> => ask({ what: 'import', record });
export const exportRecords = (): Promise<Record<string, unknown>[]> => ask({ what: 'export' });
/** Deal a game anew from what its players opened, and return what was to be seen on its way; a Problem says what does not fit. */
export const verify = (record: Record<string, unknown>, shown: string, saw: Sight[]): Promise<{ views: Record<string, unknown>[] }> =>
  ask({ what: 'verify', record, shown, saw });

let here: Promise<string[]> | null = null;
/** Tell whether a game can be run in this browser: on a server's page, if it is built for it. */
export async function canRun(game: string): Promise<boolean> {
  if (typeof WebAssembly !== 'object' || typeof Worker !== 'function') return false;
  here ??= fetch(engineFile('index.json'))
    .then(async (found) => ((await found.json()) as { games: { key: string }[] }).games.map(({ key }) => key))
    .catch(() => []);
  const found = await here;
  if (!found.includes(game)) here = null; // it may be built by and by
  return found.includes(game);
}
