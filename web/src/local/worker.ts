/**
 * The tables of this browser, in a worker: Python decides, this stores, sends, waits and lets bots think. The page speaks
 * to it as to a server: `tables.ts` is the other end.
 */
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
import micropython from '@micropython/micropython-webassembly-pyscript/micropython.wasm?url';
import type { TableInfo, TableSettings } from '../lib/messages';
import type { Sight } from '../lib/seen';
import { load, Missing, openGame } from './files';
import { bytesOf } from './hex';
import { Python, type GamePack, type Pack, type Refused } from './python';
import { Store, Taken, type Row } from './store';
import type { Answer, Task, Thought } from './thinker';

export type Wish =
  | { ask: number; what: 'open'; name: string; settings: TableSettings }
  | { ask: number; what: 'mine' }
  | { ask: number; what: 'record'; table: string; game: number }
  | { ask: number; what: 'replay'; table: string; game: number; seat: number | null }
  | { ask: number; what: 'again'; table: string; game: number; name: string; moves: number; seat: number }
  | { ask: number; what: 'import'; record: Record<string, unknown> }
  | { ask: number; what: 'export' }
  | { ask: number; what: 'advise'; thought: Thought }
  | { ask: number; what: 'verify'; record: Record<string, unknown>; shown: string; saw: Sight[] }
  | { socket: number; open: string }
  | { socket: number; say: string }
  | { socket: number; close: true };
export type Said =
  | { answer: number; found: unknown }
  | { answer: number; refused: Refused['refused'] }
  | { socket: number; say: string }
  | { socket: number; close: true }
  | { broken: string; missing: boolean }
  /** Whether everything is stored in this browser; whether a bot waits for a file that cannot be had just now. */
  | { kept: boolean }
  | { waits: boolean };

type Next =
  { kind: 'clock'; number: number; wait: number } | ({ kind: 'bot'; number: number } & (Thought | { level: string; word: string }));
type Hint = { id: string; number: number } & Thought;
interface Outcome {
  rows: Row[];
  say: string[];
  next: Next | null;
  hint: Hint | null;
}

/** Where the engine's files are, and the least milliseconds that a bot takes for a move. */
const { engine: ROOT, pace: PACE } = JSON.parse(self.name) as { engine: string; pace: number };
const HINT_SECONDS = 0.5;

const send = (said: Said): void => self.postMessage(said);

/** Something that must not be: this worker ends, and the page starts another from what is stored. */
function fail(error: unknown): never {
  send({ broken: String(error), missing: error instanceof Missing });
  self.close();
  throw error;
}

const stored = new Store((kept) => send({ kept }));
const started: Promise<Python> = load<Pack>(`${ROOT}python.json`).then((pack) =>
  Python.start(loadMicroPython, [pack], undefined, new URL(micropython, self.location.href).href),
);
started.catch(fail);
const games = new Map<string, Promise<void>>();

/** Python with a game in it. */
async function pythonWith(key: string): Promise<Python> {
  let added = games.get(key);
  if (!added) {
    added = (async () => {
      const [pack, engine] = await Promise.all([load<GamePack>(`${ROOT}${key}/python.json`), openGame(`${ROOT}${key}/`)]);
      (await started).addGame(key, pack, engine);
    })();
    games.set(key, added);
    added.catch(() => games.delete(key));
  }
  await added;
  return started;
}

class Refusal extends Error {
  constructor(readonly said: Refused['refused']) {
    super(said.text);
  }
}

const gone = (): Refusal =>
  new Refusal({ code: 'not_found', text: 'there is no such table in this browser', reason: 'no_table', values: {} });

function ask<T>(python: Python, name: string, given: unknown): T {
  let found: T | Refused;
  try {
    found = python.ask<T>(name, given);
  } catch (error) {
    fail(error);
  }
  if (found !== null && typeof found === 'object' && 'refused' in found) throw new Refusal(found.refused);
  return found as T;
}

// Thinking ----------------------------------------------------------------------------------------------------------

let thinker: Worker | null = null;
let tasks = 0;
const waiting = new Map<number, { task: Task; done: (answer: Answer) => void }>();

/** End the thinking worker; who waits for it hears that it failed. */
function dropThinker(why: string): void {
  thinker?.terminate();
  thinker = null;
  for (const [id, { done }] of [...waiting]) {
    waiting.delete(id);
    done({ id, failed: why, missing: false });
  }
}

function startThinker(): Worker {
  const made = new Worker(new URL('./thinker.ts', import.meta.url), { type: 'module' });
  made.onmessage = ({ data }: MessageEvent<Answer>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    asked?.done(data);
  };
  made.onerror = (event) => {
    event.preventDefault();
    if (made === thinker) dropThinker(event.message);
  };
  return made;
}

function think(thought: Thought, seconds: number | null): Promise<Answer> {
  const task: Task = { id: ++tasks, thought, seconds, root: `${ROOT}${thought.game}/` };
  return new Promise((done) => {
    waiting.set(task.id, { task, done });
    (thinker ??= startThinker()).postMessage(task);
  });
}

/** Wait until it is worth trying again to fetch a file. */
const aWhile = (): Promise<void> =>
  new Promise((done) => {
    const again = (): void => {
      clearTimeout(later);
      self.removeEventListener('online', again);
      done();
    };
    const later = setTimeout(again, 3000);
    self.addEventListener('online', again);
  });

/**
 * A bot's action, while it is `wanted`. It waits for a file that cannot be had just now. If WebAssembly traps, its worker is
 * replaced, and in the end a move by lot keeps the game going.
 */
async function choose(thought: Thought, wanted: () => boolean): Promise<number | null> {
  for (let traps = 0; traps < 2;) {
    const answer = await think(thought, null);
    const waits = 'failed' in answer && answer.missing && wanted();
    send({ waits });
    if ('action' in answer) return answer.action;
    if (!wanted()) return null;
    if (waits) await aWhile();
    else {
      console.error(`a bot failed: ${'failed' in answer ? answer.failed : ''}`);
      dropThinker('another thought failed');
      traps++;
    }
  }
  const engine = await openGame(`${ROOT}${thought.game}/`);
  const legal = engine.legal(bytesOf(thought.state));
  return legal[Math.floor(Math.random() * legal.length)]!;
}

// Tables ------------------------------------------------------------------------------------------------------------

const news = 'BroadcastChannel' in self ? new BroadcastChannel('tavolino.tables') : null;

class LocalTable {
  sockets = new Set<number>();
  #id: string;
  #python: Python | null = null;
  #number = 0;
  #doing: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #thinking = 0;

  constructor(id: string) {
    this.#id = id;
  }

  /** Do one thing after the other; a table that nobody looks at leaves no trace in memory. */
  run<T>(what: (python: Python) => T | Promise<T>): Promise<T> {
    const result = this.#doing.then(async () => what(await this.#loaded()));
    this.#doing = result.then(
      () => this.#idle(),
      () => this.#idle(),
    );
    return result;
  }

  #idle(): void {
    if (this.sockets.size === 0) this.forget();
  }

  close(socket: number): void {
    this.sockets.delete(socket);
    this.#doing = this.#doing.then(() => this.#idle());
  }

  async #loaded(): Promise<Python> {
    if (this.#python) return this.#python;
    const rows = await stored.rows(this.#id);
    const [first] = rows;
    if (!first) throw gone();
    const { settings, record } = first.entry as unknown as { settings?: { game: string }; record?: { game: string } };
    const python = await pythonWith((settings ?? record)!.game);
    ask(python, 'load', { table: this.#id, rows });
    this.#number = rows.length;
    this.#python = python;
    return python;
  }

  /** Forget what is in memory: what is stored holds, and whoever is connected comes again. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#thinking++;
    this.#python?.ask('forget', { table: this.#id });
    this.#python = null;
    for (const socket of this.sockets) send({ socket, close: true });
    this.sockets.clear();
  }

  changedElsewhere(number: number): void {
    this.#doing = this.#doing.then(() => {
      if (this.#python && number > this.#number) this.forget();
    });
  }

  hear(text: string): Promise<void> {
    return this.#ask('hear', { text });
  }

  /** Let Python do something, store what comes of it, and only then say so. */
  #ask(name: string, given: object): Promise<void> {
    return this.run(async (python) => {
      const { rows, say, next, hint } = ask<Outcome>(python, name, { table: this.#id, ...given });
      if (rows.length > 0) {
        try {
          await stored.append(this.#id, rows, ask<TableInfo>(python, 'info', { table: this.#id }));
        } catch (error) {
          if (!(error instanceof Taken)) console.error(error);
          this.forget();
          return;
        }
        this.#number += rows.length;
        news?.postMessage({ table: this.#id, number: this.#number });
      }
      for (const text of say) for (const socket of this.sockets) send({ socket, say: text });
      if (hint) void this.#hint(hint);
      this.#arrange(next);
    });
  }

  #arrange(next: Next | null): void {
    clearTimeout(this.#timer);
    const mine = ++this.#thinking;
    if (next === null || this.sockets.size === 0) return;
    const { number } = next;
    if (next.kind === 'clock') {
      this.#timer = setTimeout(() => void this.#ask('clock', { number }).catch(() => undefined), next.wait + 20);
      return;
    }
    const begun = performance.now();
    const found =
      'word' in next ? Promise.resolve({ word: next.word }) : choose(next, () => mine === this.#thinking).then((action) => ({ action }));
    void found.then((move) => {
      if (mine !== this.#thinking || ('action' in move && move.action === null)) return;
      const rest = Math.max(0, PACE - (performance.now() - begun));
      this.#timer = setTimeout(() => void this.#ask('move', { number, ...move }).catch(() => undefined), rest);
    });
  }

  async #hint({ id, number, ...thought }: Hint): Promise<void> {
    const answer = await think(thought, HINT_SECONDS);
    if ('moves' in answer) {
      const { network, moves, tried } = answer;
      await this.#ask('hinted', { id, number, network, moves, tried }).catch(() => undefined);
      return;
    }
    if (!('failed' in answer && answer.missing)) dropThinker('a hint failed');
    const code = 'failed' in answer && answer.missing ? 'offline' : 'internal';
    for (const socket of this.sockets) send({ socket, say: JSON.stringify({ type: 'refused', code, text: 'no hint came', number, id }) });
  }
}

const tables = new Map<string, LocalTable>();
const sockets = new Map<number, string>();

function tableOf(id: string): LocalTable {
  const known = tables.get(id);
  if (known) return known;
  const made = new LocalTable(id);
  tables.set(id, made);
  return made;
}

if (news)
  news.onmessage = ({ data }: MessageEvent<{ table: string; number: number }>) => {
    tables.get(data.table)?.changedElsewhere(data.number);
  };

async function begin(python: Python, table: string, rows: Row[]): Promise<string> {
  ask(python, 'load', { table, rows });
  const info = ask<TableInfo>(python, 'info', { table });
  ask(python, 'forget', { table });
  await stored.append(table, rows, info);
  return table;
}

const freshId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12))))
    .replaceAll('+', '-')
    .replaceAll('/', '_');

async function idOf(record: unknown): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(record));
  const { sha256 } = await import('@noble/hashes/sha2.js');
  return btoa(String.fromCharCode(...sha256(text).slice(0, 12)))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

type Asked = Extract<Wish, { ask: number }>;

async function answer(wish: Asked): Promise<unknown> {
  switch (wish.what) {
    case 'open': {
      const { settings, name } = wish;
      const python = await pythonWith(settings.game);
      const table = freshId();
      const { rows } = ask<{ rows: Row[] }>(python, 'open', { table, name, settings });
      return begin(python, table, rows);
    }
    case 'again': {
      const { ask: _, what, table: from, ...given } = wish;
      const table = freshId();
      return tableOf(from).run((python) => {
        const { rows } = ask<{ rows: Row[] }>(python, what, { table: from, ...given });
        return begin(python, table, rows);
      });
    }
    case 'import': {
      const game = String(wish.record['game']);
      const listed = await load<{ games: { key: string }[] }>(`${ROOT}index.json`);
      if (!listed.games.some(({ key }) => key === game))
        throw new Refusal({ code: 'bad_record', text: `there is no game ${game} here`, reason: 'no_game', values: { game } });
      const python = await pythonWith(game);
      const table = await idOf(wish.record);
      const { rows } = ask<{ rows: Row[] }>(python, 'import', { table, record: wish.record });
      return begin(python, table, rows).catch((error: unknown) => {
        if (error instanceof Taken) return table; // it is here already
        throw error;
      });
    }
    case 'mine':
      return stored.tables();
    case 'export': {
      const found: unknown[] = [];
      for (const { id, playing } of await stored.tables())
        for (let game = 0; game <= playing; game++)
          await tableOf(id)
            .run((python) => found.push(ask(python, 'record', { table: id, game })))
            .catch(() => undefined); // it goes on
      return found;
    }
    case 'advise': {
      const { thought } = wish;
      const [python, found] = await Promise.all([pythonWith(thought.game), think(thought, HINT_SECONDS)]);
      if (!('moves' in found)) {
        dropThinker('a hint failed');
        throw new Error('failed' in found ? found.failed : 'no hint came');
      }
      const { network, moves, tried } = found;
      return ask(python, 'advise', { thought, network, moves, tried });
    }
    case 'verify':
      return ask(await pythonWith(String(wish.record['game'])), 'verify', {
        record: wish.record,
        shown: wish.shown,
        saw: wish.saw.map(({ moves, seat }) => [moves, seat]),
      });
    default: {
      const { what, table, ask: _, ...given } = wish;
      return tableOf(table).run((python) => ask(python, what, { table, ...given }));
    }
  }
}

const noSuch = (socket: number, no: Refusal): void =>
  send({ socket, say: JSON.stringify({ type: 'refused', code: no.said.code, text: no.said.text, number: 0, reason: no.said.reason }) });

self.onmessage = ({ data }: MessageEvent<Wish>) => {
  if ('ask' in data) {
    answer(data).then(
      (found) => send({ answer: data.ask, found }),
      (error: unknown) => {
        const code = error instanceof Missing ? 'offline' : 'internal';
        const said = error instanceof Refusal ? error.said : { code, text: String(error), reason: null, values: {} };
        send({ answer: data.ask, refused: said });
      },
    );
  } else if ('open' in data) {
    sockets.set(data.socket, data.open);
    tableOf(data.open).sockets.add(data.socket);
  } else {
    const table = tableOf(sockets.get(data.socket) ?? '');
    if ('close' in data) {
      sockets.delete(data.socket);
      table.close(data.socket);
    } else if (sockets.has(data.socket)) {
      table.sockets.add(data.socket);
      table.hear(data.say).catch((error: unknown) => {
        if (error instanceof Refusal) noSuch(data.socket, error);
        else send({ socket: data.socket, close: true });
      });
    }
  }
};
