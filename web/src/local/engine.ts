// A game's compiled rules and bots, as WebAssembly made from the same Python source (src/tavolino/bots/wasm.py).
// Nothing here knows a game. States go in and out by value: what lies in the module's memory is not for others.
import { bytesOf, Memory, type Room } from './memory';
import { derive } from './seeds';

/** The record of a game in play, byte for byte as the server has it. */
export type State = Uint8Array<ArrayBuffer>;
type Nested = number | bigint | Nested[];
type Layout = { size: number; fields: Record<string, { offset: number; type: string; shape: number[] }> };

/** How a bot plays: by a policy that answers at once, by looking ahead, or by searching. */
type Way = { network: boolean; policy?: number; tries?: number; style?: number; simulations?: number };

export interface Manifest {
  game: string;
  digest: string;
  players: number[];
  /** The names of the random streams that a deal uses. */
  streams: string[];
  /** The first action that is an outcome of chance. */
  rolled: number;
  state: Layout;
  levels: string[];
  bots: Record<string, Way>;
  features: number;
  network: { first: number; width: number };
  /** How it looks ahead; how many actions are told of each world, and of how many worlds, to say why a move is good. */
  ahead: { how: number[]; slice: number; notes: Layout; trace: number; worlds: number };
  search: { play_out: number; how: number[]; nodes: number; node: number; slice: number };
  most: { seats: number; choices: number; plan: number; lines: number };
}

/** What a bot is given; the state may be the true one: the engine deals anew what the seat cannot know. */
export interface Position {
  state: State;
  seat: number;
  seed: string;
  /** The states before and after another seat's latest turn, or nothing. */
  past: State[];
}

export interface Limits {
  seconds?: number;
  simulations?: number;
}

/** A move and the mover's chance to win by it, as the bot sees it. */
export interface Estimate {
  action: number;
  chance: number;
  tries: number;
  /** The standard error of the chance. */
  error: number;
  /** The actions it was tried with: the move, and the rest of the turn where whole turns are compared. */
  line: number[];
}

/** Lines that were tried in some worlds: what was played there (up to a -1), and how good it was in the end. */
export interface Trials {
  lines: number[][];
  worlds: State[];
  /** By world and line. */
  traces: number[][][];
  worths: number[][];
}

/** Thinking that is cut into slices. Only the latest one of an engine goes on. */
export interface Thinking {
  readonly done: boolean;
  /** Think for about so many milliseconds, at least one slice. */
  run(ms: number): void;
  /** The moves, best first, by what is known so far. */
  advice(): Estimate[];
  /** The move of a bot that has thought like this, as an action. */
  choice(): number;
}

export interface Turn {
  /** The seat to move; -1 when chance is due or the game is over. */
  player: number;
  over: boolean;
  seats: number;
  first: number;
  winners: number[];
  ending: number;
}

type Source = WebAssembly.Module | BufferSource | Response | Promise<Response>;
/** Open a game's module: its bytes, an answer of `fetch`, or one that is compiled already. */
export async function openEngine(source: Source, manifest: Manifest): Promise<Engine> {
  const given = await source;
  const module =
    given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given instanceof Response ? await given.arrayBuffer() : given);
  const instance = await WebAssembly.instantiate(module);
  return new Engine(instance, manifest);
}

const DONE = 2; // the entry of a search's counts with the number of simulations
const COUNTS = 4;

export class Engine {
  readonly memory: Memory;
  readonly #networks = new Map<number, { room: Room; length: number }>();
  #latest: object | null = null;

  constructor(
    instance: WebAssembly.Instance,
    readonly manifest: Manifest,
  ) {
    this.memory = new Memory(instance);
  }

  /** Whether a call has trapped: then the module's memory cannot be trusted, and a new engine must be opened. */
  get broken(): boolean {
    return this.memory.broken;
  }

  // The rules.

  /** Deal and start; `first` is a seat, or -1 for a random one; one stream per name in the manifest. */
  deal(players: number, first: number, codes: (number | bigint)[], streams: bigint[]): State {
    const states = this.#states(this.blank());
    this.memory.call('deal', states.at, 1, BigInt(players), BigInt(first), ...this.#ints(codes), ...this.#streams(streams));
    return this.#state(states);
  }

  /** Start with the cards or tokens as they lie in the state. */
  start(state: State, players: number, first: number): State {
    const states = this.#states(state);
    this.memory.call('start', states.at, 1, BigInt(players), BigInt(first));
    return this.#state(states);
  }

  /** Play an action, which must be legal, or an outcome of chance that is due. */
  apply(state: State, action: number): State {
    const states = this.#states(state);
    this.memory.call('apply', states.at, 1, BigInt(action));
    return this.#state(states);
  }

  /** Draw an outcome of the chance that is due, from one stream per seat, and return its action. */
  chance(state: State, streams: bigint[]): number {
    const full = [...streams, ...Array<bigint>(Math.max(0, this.manifest.most.seats - streams.length)).fill(0n)];
    return Number(this.memory.call('chance', this.#states(state).at, 1, ...this.#streams(full)));
  }

  /** The score of each seat so far. */
  scores(state: State): number[] {
    const out = this.memory.room('scores', 8 * this.manifest.most.seats);
    this.memory.bytes(out).fill(0);
    this.memory.call('scores', this.#states(state).at, 1, out.at, this.manifest.most.seats);
    const found = new BigInt64Array(this.memory.buffer, out.at, this.read(state, 'seats') as number);
    return Array.from(found, Number);
  }

  /** Deal anew what a seat (-1: a spectator) cannot know. */
  redeal(state: State, viewer: number, stream: bigint): State {
    const states = this.#states(state);
    this.memory.call('redeal', states.at, 1, BigInt(viewer), ...this.#streams([stream]));
    return this.#state(states);
  }

  /** Play actions in order, up to the first that is not legal or due; tell who made each. */
  replay(state: State, actions: number[]): { state: State; played: number; movers: number[] } {
    const states = this.#states(state);
    const movers = this.memory.room('movers', 8 * actions.length);
    const given = this.#ints(actions);
    const rolled = BigInt(this.manifest.rolled);
    const played = Number(this.memory.call('replay', states.at, 1, ...given, rolled, movers.at, actions.length));
    const who = Array.from(new BigInt64Array(this.memory.buffer, movers.at, played), Number);
    return { state: this.#state(states), played, movers: who };
  }

  /** The legal actions, ascending; none when chance is due or the game is over. */
  legal(state: State): number[] {
    const found: number[] = [];
    const masks = this.read(state, 'legal') as (number | bigint)[];
    masks.forEach((mask, word) => {
      for (let rest = BigInt(mask), bit = 0; rest; rest >>= 1n, bit++) if (rest & 1n) found.push(64 * word + bit);
    });
    return found;
  }

  /** Whose turn it is and how the game stands. */
  turn(state: State): Turn {
    const whole = (field: string): number => Number(this.read(state, field));
    const winners = whole('winners');
    const seats = whole('seats');
    return {
      player: whole('player'),
      over: whole('over') !== 0,
      seats,
      first: whole('first'),
      winners: [...Array(seats).keys()].filter((seat) => (winners >> seat) & 1),
      ending: whole('ending'),
    };
  }

  /** A state with 0 everywhere, to write a deal into. */
  blank(): State {
    return new Uint8Array(this.manifest.state.size);
  }

  /** The value of a field: numbers, or bigints beyond 2^53, in lists as the field is shaped. */
  read(state: State, field: string): Nested {
    const { offset, type, shape } = this.#field(field);
    const view = this.#view(state);
    const width = Number(type[1]);
    const item = (index: number): number | bigint => {
      const at = offset + width * index;
      if (width < 8) return width === 1 ? view.getInt8(at) : view.getInt16(at, true);
      const wide = view.getBigInt64(at, true);
      return Number.isSafeInteger(Number(wide)) ? Number(wide) : wide;
    };
    const nested = (axis: number, begin: number): Nested => {
      if (axis === shape.length) return item(begin);
      const step = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
      return Array.from({ length: shape[axis]! }, (_, i) => nested(axis + 1, begin + i * step));
    };
    return nested(0, 0);
  }

  /** Write a field of a state of one's own. */
  write(state: State, field: string, value: Nested): void {
    const { offset, type, shape } = this.#field(field);
    const flat = (Array.isArray(value) ? value.flat(8) : [value]) as (number | bigint)[];
    const length = shape.reduce((a, b) => a * b, 1);
    if (flat.length !== length) throw new Error(`${field} has ${length} numbers, not ${flat.length}`);
    const view = this.#view(state);
    const width = Number(type[1]);
    flat.forEach((number, i) => {
      if (width === 8) view.setBigInt64(offset + 8 * i, BigInt(number), true);
      else if (width === 2) view.setInt16(offset + 2 * i, Number(number), true);
      else view.setInt8(offset + i, Number(number));
    });
  }

  /** Play whole games at random, as `tavolino simulate` does, and return the number of moves: to measure speed. */
  randomGames(players: number, codes: (number | bigint)[], seed: bigint, games: number): number {
    const states = this.memory.room('many', games * this.manifest.state.size);
    const seats = this.manifest.most.seats;
    const [score, length] = [this.memory.room('each', 8 * games * seats), this.memory.room('length', 8 * games)];
    const dealt = [BigInt(players), 0n, ...this.#ints(codes), BigInt.asIntN(64, seed), 0n];
    const out = [score.at, games, seats, length.at, games, 0, games, 0];
    return Number(this.memory.call('random_games', states.at, games, ...dealt, ...out));
  }

  // The bots.

  /** Take the network for a number of players, as `bots/wasm.py` writes it. */
  useNetwork(players: number, bytes: Uint8Array): void {
    const { first, width: across } = this.manifest.network;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const [features, width] = bytes.byteLength < 8 ? [0, 1] : [view.getUint32(0, true), view.getUint32(4, true)];
    const scales = 8 + 4 * first;
    const rows = scales + 4 * features;
    const size = rows + features * across * width;
    if (bytes.byteLength !== size) throw new Error(`the network has ${bytes.byteLength} bytes, not ${size}`);
    const net = new Float32Array(first + features * across);
    for (let i = 0; i < first; i++) net[i] = view.getFloat32(8 + 4 * i, true);
    for (let i = 0; i < features; i++) {
      const scale = view.getFloat32(scales + 4 * i, true);
      for (let j = i * across; j < (i + 1) * across; j++) {
        net[first + j] = scale * (width === 1 ? view.getInt8(rows + j) : halfOf(view.getUint16(rows + 2 * j, true)));
      }
    }
    const room = this.memory.put(`network ${players}`, new Uint8Array(net.buffer));
    this.#networks.set(players, { room, length: net.length });
  }

  hasNetwork(players: number): boolean {
    return this.#networks.has(players);
  }

  /** What a bot plays, as an action; it thinks as long as it likes. */
  choose(position: Position, bot: string): number {
    const legal = this.legal(position.state);
    if (legal.length === 1) return legal[0]!;
    if (this.#way(bot).policy !== undefined) {
      return this.answer(this.#own(position, position.state), bot, this.#seed(position, 'player'));
    }
    const thinking = this.think(position, bot);
    while (!thinking.done) thinking.run(Infinity);
    return thinking.choice();
  }

  /** Begin to think as a bot that looks ahead or searches. */
  think(position: Position, bot: string, limits: Limits = {}): Thinking {
    const { tries, simulations } = this.#way(bot);
    if (this.turn(position.state).player !== position.seat) throw new Error(`seat ${position.seat} is not to move`);
    if (tries !== undefined) return this.#lookAhead(position, bot, tries, limits);
    if (simulations !== undefined) return this.#search(position, simulations, limits);
    throw new Error(`${bot} answers at once: ask it to choose`);
  }

  /** What a bot that answers at once plays, from a stream of its own; it sees the state as it is. */
  answer(state: State, bot: string, stream: bigint): number {
    const { policy } = this.#way(bot);
    if (policy === undefined) throw new Error(`${bot} does not answer at once: ask it to choose`);
    const network = this.network(state, bot);
    const states = this.#states(state);
    return Number(this.memory.call('policy_move', states.at, 1, BigInt(policy), ...network, ...this.#streams([stream])));
  }

  #lookAhead(position: Position, bot: string, tries: number, limits: Limits): Thinking {
    const { how, slice, notes: layout } = this.manifest.ahead;
    const { lines: most, plan } = this.manifest.most;
    const size = this.manifest.state.size;
    const seed = BigInt.asIntN(64, this.#seed(position, 'worlds'));
    const network = this.network(position.state, bot);
    const past = position.past.map((state) => this.#own(position, state));
    const root = this.memory.put('root', this.#own(position, position.state));
    const scratch = this.memory.room('scratch', 2 * size);
    const notes = this.memory.put('notes', new Uint8Array(layout.size));
    const table = this.memory.room('table', 8 * most * plan);
    const worths = this.memory.room('worths', 8 * most * slice);
    const way = this.memory.ints('how', how);
    const stop = this.memory.put('stop', new Uint8Array(8));
    const field = (name: string): number => notes.at + layout.fields[name]!.offset;
    const whole = (name: string, value?: number): number => {
      const cell = new BigInt64Array(this.memory.buffer, field(name), 1);
      if (value !== undefined) cell[0] = BigInt(value);
      return Number(cell[0]);
    };
    new BigInt64Array(this.memory.buffer, field('lines'), most * plan).fill(-1n);
    const found = this.memory.call('best_lines', root.at, 1, ...network, field('lines'), most, plan, field('priors'), most);
    whole('count', Number(found));
    whole('budget', limits.simulations ?? (limits.seconds ? 0 : tries));
    this.memory.call('begin', notes.at, 1);
    const clock = clockOf(limits);
    let left = Number(this.memory.call('next_slice', notes.at, 1));
    let roundEnd = clock.share(whole('rounds'));
    const step = (): void => {
      if (performance.now() >= roundEnd) {
        this.memory.call('end_round', notes.at, 1);
        roundEnd = clock.share(Math.max(1, whole('rounds') - whole('finished')));
      } else {
        const count = Number(this.memory.call('alive_lines', notes.at, 1, table.at, most, plan));
        const before = this.memory.put('past', concat(past, size)); // a world overwrites what is hidden in it
        const worlds = [worths.at, left, count, seed, BigInt(whole('world'))];
        const given = [before.at, past.length, scratch.at, 2, ...network, table.at, count, plan, ...worlds];
        const untold = [scratch.at, 1, count, 0]; // what is played is noted where there is room: there is none
        const did = this.memory.call('try_lines', root.at, 1, ...given, way.at, how.length, stop.at, 1, ...untold);
        this.memory.call('hear', notes.at, 1, worths.at, Number(did), count, BigInt(did!));
      }
      left = Number(this.memory.call('next_slice', notes.at, 1));
    };
    const advice = (): Estimate[] => {
      const [order, chances] = [this.memory.room('order', 8 * most), this.memory.room('chances', 8 * most)];
      const errors = this.memory.room('errors', 8 * most);
      const given = [order.at, most, chances.at, most, errors.at, most];
      const n = Number(this.memory.call('rank', notes.at, 1, ...given));
      const all = new BigInt64Array(this.memory.buffer, field('lines'), most * plan);
      const tried = new BigInt64Array(this.memory.buffer, field('tried'), most);
      return Array.from({ length: n }, (_, i) => {
        const which = Number(new BigInt64Array(this.memory.buffer, order.at, n)[i]);
        const row = Array.from(all.subarray(which * plan, (which + 1) * plan), Number);
        const end = row.indexOf(-1);
        return {
          action: row[0]!,
          chance: new Float64Array(this.memory.buffer, chances.at, n)[i]!,
          tries: Number(tried[which]),
          error: new Float64Array(this.memory.buffer, errors.at, n)[i]!,
          line: end < 0 ? row : row.slice(0, end),
        };
      });
    };
    const { style } = this.#way(bot);
    const choice = (): number => {
      if (!style) return advice()[0]!.action;
      return Number(this.memory.call('favourite', root.at, 1, notes.at, 1, BigInt(style)));
    };
    return this.#slices(() => left === 0, step, advice, choice);
  }

  /** Try lines as a bot that looks ahead does, in the first worlds that it looks at, and tell what was played there. */
  watch(position: Position, bot: string, lines: number[][]): Trials {
    const { how, trace, worlds } = this.manifest.ahead;
    const { plan } = this.manifest.most;
    const size = this.manifest.state.size;
    const [count, network] = [lines.length, this.network(position.state, bot)];
    const past = position.past.map((state) => this.#own(position, state));
    const root = this.memory.put('root', this.#own(position, position.state));
    const before = this.memory.put('past', concat(past, size));
    const scratch = this.memory.room('watched', (2 + worlds) * size);
    const padded = lines.flatMap((line) => [...line, ...Array<number>(plan - line.length).fill(-1)]);
    const table = this.memory.ints('watched lines', padded);
    const worths = this.memory.room('watched worths', 8 * worlds * count);
    const traces = this.memory.put('traces', bytesOf(new Int32Array(worlds * count * trace).fill(-1)));
    const way = this.memory.ints('how', how);
    const stop = this.memory.put('stop', new Uint8Array(8));
    const seed = BigInt.asIntN(64, this.#seed(position, 'worlds'));
    const given = [before.at, past.length, scratch.at, 2 + worlds, ...network, table.at, count, plan];
    const out = [worths.at, worlds, count, seed, 0n, way.at, how.length, stop.at, 1, traces.at, worlds, count, trace];
    this.memory.call('try_lines', root.at, 1, ...given, ...out);
    const rows = <T>(each: (world: number, line: number) => T): T[][] =>
      Array.from({ length: worlds }, (_, k) => Array.from({ length: count }, (_, i) => each(k, i)));
    return {
      lines,
      worlds: Array.from({ length: worlds }, (_, k) => new Uint8Array(this.memory.buffer, scratch.at + (2 + k) * size, size).slice()),
      traces: rows((k, i) => {
        const all = Array.from(new Int32Array(this.memory.buffer, traces.at + 4 * trace * (k * count + i), trace));
        const end = all.indexOf(-1);
        return end < 0 ? all : all.slice(0, end);
      }),
      worths: rows((k, i) => new Float64Array(this.memory.buffer, worths.at, worlds * count)[k * count + i]!),
    };
  }

  #search(position: Position, simulations: number, limits: Limits): Thinking {
    const { play_out, how, nodes, node, slice } = this.manifest.search;
    const seed = BigInt.asIntN(64, this.#seed(position, 'tree/0'));
    const budget = limits.simulations ?? (limits.seconds ? Infinity : simulations);
    const root = this.memory.put('root', this.#own(position, position.state));
    const scratch = this.memory.room('scratch', 2 * this.manifest.state.size);
    const tree = this.memory.room('tree', nodes * node);
    this.memory.bytes(tree).fill(0);
    const counts = this.memory.put('counts', new Uint8Array(8 * COUNTS));
    const settings = this.memory.put('settings', bytesOf(Float64Array.from(how)));
    const clock = clockOf(limits);
    const ran = (): number => Number(new BigInt64Array(this.memory.buffer, counts.at, COUNTS)[DONE]);
    const step = (): void => {
      const sims = BigInt(Math.min(slice, budget - ran()));
      const given = [tree.at, nodes, counts.at, COUNTS, settings.at, how.length, BigInt(play_out), seed, sims];
      this.memory.call('search', root.at, 1, scratch.at, 1, ...given);
    };
    const advice = (): Estimate[] => {
      const most = 64 * (this.read(position.state, 'legal') as Nested[]).length;
      const actions = this.memory.room('actions', 8 * most);
      const [visits, totals] = [this.memory.room('visits', 8 * most), this.memory.room('totals', 8 * most)];
      const given = [actions.at, most, visits.at, most, totals.at, most, 0n];
      const n = Number(this.memory.call('search_roots', tree.at, nodes, ...given));
      return Array.from({ length: n }, (_, i) => {
        const action = Number(new BigInt64Array(this.memory.buffer, actions.at, n)[i]);
        const tries = Number(new BigInt64Array(this.memory.buffer, visits.at, n)[i]);
        const chance = new Float64Array(this.memory.buffer, totals.at, n)[i]! / tries;
        const error = Math.sqrt(Math.max(0, chance * (1 - chance)) / tries);
        return { action, chance, tries, error, line: [action] };
      }).sort((a, b) => b.tries - a.tries);
    };
    const done = (): boolean => ran() >= budget || (ran() > 0 && performance.now() >= clock.end);
    return this.#slices(done, step, advice, () => advice()[0]!.action);
  }

  #slices(done: () => boolean, step: () => void, advice: () => Estimate[], choice: () => number): Thinking {
    const mine = {};
    this.#latest = mine;
    const check = (): void => {
      if (this.#latest !== mine) throw new Error('this engine has begun to think about something else');
    };
    return {
      get done() {
        check();
        return done();
      },
      run: (ms) => {
        check();
        const end = performance.now() + ms;
        do {
          if (done()) return;
          step();
        } while (performance.now() < end);
      },
      advice: () => {
        check();
        return advice();
      },
      choice: () => {
        check();
        return choice();
      },
    };
  }

  /** A state as a seat may know it, the rest dealt anew from the player's seed. */
  #own(position: Position, state: State): State {
    return this.redeal(state, position.seat, this.#seed(position, 'redeal'));
  }

  #seed(position: Position, name: string): bigint {
    return derive(position.seed, this.manifest.game, name);
  }

  #way(bot: string): Way {
    const way = this.manifest.bots[bot];
    if (!way) throw new Error(`no bot ${bot}; there are ${Object.keys(this.manifest.bots).join(', ')}`);
    return way;
  }

  /** The network for a state, as arguments; a bot that asks none gets an empty one. */
  network(state: State, bot: string): (number | bigint)[] {
    const players = Number(this.read(state, 'seats'));
    const found = this.#networks.get(players);
    if (!found && this.#way(bot).network) throw new Error(`${bot} needs the network for ${players} players`);
    return [found?.room.at ?? 0, found?.length ?? 0, BigInt(this.manifest.features)];
  }

  // The module's memory.

  #states(state: State): Room {
    return this.memory.put('states', bytesOf(this.#view(state)));
  }

  #state({ at }: Room): State {
    return new Uint8Array(this.memory.buffer, at, this.manifest.state.size).slice();
  }

  #ints(values: (number | bigint)[]): [number, number] {
    return [this.memory.ints('ints', values).at, values.length];
  }

  #streams(values: bigint[]): [number, number] {
    return [this.memory.put('streams', bytesOf(BigUint64Array.from(values))).at, values.length];
  }

  #field(name: string): Layout['fields'][string] {
    const field = this.manifest.state.fields[name];
    if (!field) throw new Error(`the state has no field ${name}`);
    return field;
  }

  #view(state: State): DataView {
    const { size } = this.manifest.state;
    if (state.byteLength !== size) throw new Error(`a state has ${size} bytes, not ${state.byteLength}`);
    return new DataView(state.buffer, state.byteOffset, state.byteLength);
  }
}

/** The number whose 16 bits (IEEE 754) these are. */
function halfOf(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const digits = bits & 1023;
  const size = exponent ? (1024 + digits) * 2 ** (exponent - 25) : digits * 2 ** -24;
  return bits >> 15 ? -size : size;
}

export function concat(states: State[], size: number): Uint8Array {
  const out = new Uint8Array(states.length * size);
  states.forEach((state, i) => out.set(state, i * size));
  return out;
}

/** When thinking must end, and when a round must if the time left is shared among so many. */
function clockOf({ seconds }: Limits): { end: number; share: (rounds: number) => number } {
  const end = seconds ? performance.now() + 1000 * seconds : Infinity;
  const share = (rounds: number): number => {
    const now = performance.now();
    return seconds ? now + (end - now) / rounds : Infinity;
  };
  return { end, share };
}
