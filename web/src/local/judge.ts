/** What compiled code says to the judge of a game (src/tavolino/lab/trying.py): lines of play tried in many worlds. */
import { concat, type Engine, type State } from './engine';
import { bytesOf, hexOf } from './hex';
import { bytesOf as rawOf } from './memory';

/** Who gives reasons: the look-ahead of the strongest bot. */
const STRONGEST = 'expert';

/** In which worlds: the seed in hex, the number of the first, and of the first that is not looked at any more. */
type Which = [seed: string, first: number, until: number];

function statesOf(engine: Engine, hex: string): State[] {
  const { size } = engine.manifest.state;
  return Array.from({ length: hex.length / 2 / size }, (_, i) => bytesOf(hex.slice(2 * size * i, 2 * size * (i + 1))));
}

function favourites(engine: Engine, root: string): number[][] {
  const { memory } = engine;
  const { lines: most, plan } = engine.manifest.most;
  const state = bytesOf(root);
  const table = memory.ints('favourites', Array<number>(most * plan).fill(-1));
  const priors = memory.room('favourites priors', 8 * most);
  const network = engine.network(state, STRONGEST);
  const n = Number(memory.call('best_lines', memory.put('root', state).at, 1, ...network, table.at, most, plan, priors.at, most));
  const all = Array.from(new BigInt64Array(memory.buffer, table.at, n * plan), Number);
  return Array.from({ length: n }, (_, i) => all.slice(i * plan, (i + 1) * plan));
}

/** The chances of all seats by world and line, as bytes in hex. */
function tried(
  engine: Engine,
  root: string,
  past: string,
  viewer: number,
  lines: number[][],
  [seed, first, until]: Which,
  way: number[],
  curve: string,
): string {
  const { memory, manifest } = engine;
  const { size } = manifest.state;
  const state = bytesOf(root);
  const seats = Number(engine.read(state, 'seats'));
  const before = statesOf(engine, past);
  const [worlds, count, plan] = [until - first, lines.length, lines[0]!.length];
  const network = engine.network(state, STRONGEST);
  const given = [memory.put('root', state).at, 1, memory.put('past', concat(before, size)).at, before.length];
  const table = memory.ints('judged lines', lines.flat());
  const levels = memory.put('curve', bytesOf(curve));
  const how = memory.ints('judge how', way);
  const chances = memory.room('judged', 8 * worlds * count * seats);
  const scratch = memory.room('scratch', 2 * size);
  const seeded = [BigInt.asIntN(64, BigInt(`0x${seed}`)), BigInt(first)];
  const tables = [table.at, count, plan, chances.at, worlds, count, seats];
  const ends = [how.at, way.length, levels.at, curve.length / 16];
  memory.call('judge_lines', ...given, scratch.at, 2, BigInt(viewer), ...network, ...tables, ...seeded, ...ends);
  return hexOf(new Uint8Array(memory.buffer, chances.at, 8 * worlds * count * seats));
}

function watched(engine: Engine, root: string, past: string, seat: number, seed: string, lines: number[][]): object {
  const position = { state: bytesOf(root), seat, seed, past: statesOf(engine, past) };
  const found = engine.watch(position, STRONGEST, lines);
  return {
    worlds: found.worlds.map(hexOf),
    traces: found.traces,
    worths: hexOf(rawOf(Float64Array.from(found.worths.flat()))),
  };
}

/** Answer a question of Python's stand-in (src/tavolino/browser/micropython/trying.py), in text. */
export function answerJudge(engine: Engine, name: string, given: string): string {
  const args = JSON.parse(given) as never[];
  switch (name) {
    case 'way':
      return JSON.stringify([...engine.manifest.ahead.how, engine.manifest.search.play_out]);
    case 'has_network':
      return JSON.stringify(engine.hasNetwork(args[0]!));
    case 'favourites':
      return JSON.stringify(favourites(engine, args[0]!));
    case 'tried':
      return tried(engine, args[0]!, args[1]!, args[2]!, args[3]!, args[4]!, args[5]!, args[6]!);
    case 'watched':
      return JSON.stringify(watched(engine, args[0]!, args[1]!, args[2]!, args[3]!, args[4]!));
    default:
      throw new Error(`no question ${name}`);
  }
}
