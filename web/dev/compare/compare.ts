// Play games and let bots decide by a game's WebAssembly, as tests/web/test_wasm.py does natively, and say what came out.
import type { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
import type { Review } from '../../src/lib/review';
import { openEngine, type Engine, type Limits, type Manifest, type State } from '../../src/local/engine';
import { Python, type GamePack, type Pack } from '../../src/local/python';
import { review, REVIEWS } from '../../src/local/reviewing';

export interface Task {
  wasm: string; // in base64, as all bytes here
  manifest: Manifest;
  networks: Record<number, string>;
  games: { players: number; codes: string[][]; bots: string[]; count: number; peek: boolean }[];
  decisions: { state: string; seat: number; seed: string; past: string[]; bot: string; limits: Limits | null }[];
}

const bytes = (text: string): State => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

const FACTOR = 0xd1342543de82ef95n;
/** The start of a stream: another number for each game, move and purpose. */
const stream = (game: number, move: number, purpose: number): bigint =>
  BigInt.asUintN(64, BigInt((game * 4096 + move) * 32 + purpose + 1) * FACTOR);
const streams = (game: number, move: number, count: number): bigint[] =>
  Array.from({ length: count }, (_, purpose) => stream(game, move, purpose));

async function play(engine: Engine, { players, codes, bots, peek }: Task['games'][number], game: number) {
  const parts: Uint8Array[] = [];
  const options = codes[game % codes.length]!.map(BigInt);
  const { streams: names, most } = engine.manifest;
  let state = engine.deal(players, game % 2 ? -1 : 0, options, streams(game, 0, names.length));
  parts.push(state);
  for (let move = 1; !engine.read(state, 'over'); move++) {
    const player = engine.read(state, 'player') as number;
    const masks = engine.read(state, 'legal') as (number | bigint)[];
    const action =
      player < 0 || masks.every((mask) => !mask)
        ? engine.chance(state, streams(game, move, most.seats))
        : engine.answer(state, bots[(game + player) % bots.length]!, stream(game, move, 8));
    state = engine.apply(state, action);
    parts.push(new Uint8Array(BigInt64Array.of(BigInt(action)).buffer), state);
    if (peek) parts.push(engine.redeal(state, (move % (players + 1)) - 1, stream(game, move, 9)));
  }
  parts.push(new Uint8Array(BigInt64Array.from(engine.scores(state), BigInt).buffer));
  const digest = await crypto.subtle.digest('SHA-256', await new Blob(parts as BlobPart[]).arrayBuffer());
  return Array.from(new Uint8Array(digest).subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function compare(task: Task): Promise<{ games: string[][]; decisions: unknown[] }> {
  const engine = await openEngine(bytes(task.wasm), task.manifest);
  for (const [players, network] of Object.entries(task.networks)) engine.useNetwork(Number(players), bytes(network));
  const games: string[][] = [];
  for (const job of task.games) {
    const found: string[] = [];
    for (let game = 0; game < job.count; game++) found.push(await play(engine, job, game));
    games.push(found);
  }
  const decisions = task.decisions.map(({ state, seat, seed, past, bot, limits }) => {
    const position = { state: bytes(state), seat, seed, past: past.map(bytes) };
    if (!limits) return engine.choose(position, bot);
    const thinking = engine.think(position, bot, limits);
    while (!thinking.done) thinking.run(0); // slice by slice, as a page does
    return thinking.advice();
  });
  return { games, decisions };
}

/** Measure: milliseconds per decision of each bot, and random moves per second; CPU time where it can be had. */
export async function measure(task: Task): Promise<{ decisions: number[]; moves: number[] }> {
  const engine = await openEngine(bytes(task.wasm), task.manifest);
  for (const [players, network] of Object.entries(task.networks)) engine.useNetwork(Number(players), bytes(network));
  const node = (globalThis as { process?: { cpuUsage(): { user: number; system: number } } }).process;
  const now = (): number => {
    if (!node) return performance.now();
    const { user, system } = node.cpuUsage();
    return (user + system) / 1000;
  };
  const best = (times: number, run: () => void): number => {
    let least = Infinity;
    for (let i = 0; i < times; i++) {
      const began = now();
      run();
      least = Math.min(least, now() - began);
    }
    return least;
  };
  const decisions = task.decisions.map(({ state, seat, seed, past, bot }) => {
    const position = { state: bytes(state), seat, seed, past: past.map(bytes) };
    return best(4, () => void engine.choose(position, bot));
  });
  const moves = task.games.map(({ players, codes, count }) => {
    let played = 0;
    const run = (): void => void (played = engine.randomGames(players, codes[0]!.map(BigInt), 7n, count));
    const least = best(5, run);
    return (1000 * played) / least;
  });
  return { decisions, moves };
}

/** Review a record by Python in MicroPython and lines of play in WebAssembly. */
export async function reviewed(
  task: Task & { packs: Pack[]; pack: GamePack; records: Record<string, unknown>[]; tries: number },
  begin: typeof loadMicroPython,
): Promise<Review[]> {
  const engine = await openEngine(bytes(task.wasm), task.manifest);
  for (const [players, network] of Object.entries(task.networks)) engine.useNetwork(Number(players), bytes(network));
  const python = await Python.start(begin, task.packs, REVIEWS);
  python.addGame(task.manifest.game, task.pack, engine);
  return task.records.map((record) => {
    let found: Review | null = null;
    review(python, record, task.tries, (now) => (found = now.review));
    return found!;
  });
}
