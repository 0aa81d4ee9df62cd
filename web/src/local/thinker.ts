/** A worker that thinks for the bots and for hints. It is thrown away if WebAssembly traps; the table lives elsewhere. */
import type { Engine, Trials } from './engine';
import { Missing, openGame, takeNetwork } from './files';
import { bytesOf, hexOf } from './hex';

export interface Thought {
  level: string;
  /** The style in which the level plays, where the game has it. */
  style: string;
  game: string;
  players: number;
  seat: number;
  seed: string;
  moves: number;
  place: number;
  options: Record<string, unknown>;
  /** In hex: the state, dealt anew for the seat, and those before and after the others' latest turn. */
  state: string;
  past: string;
}

export interface Task {
  id: number;
  thought: Thought;
  /** For a hint: how many seconds to think; null for a bot's move. */
  seconds: number | null;
  /** Where the game's files are. */
  root: string;
}

/** What happened to the best move and the next in some worlds: from it Python says why the best one is good. */
export type Tried = Omit<Trials, 'worlds'> & { worlds: string[] };

export type Answer =
  | { id: number; action: number }
  | { id: number; network: boolean; moves: [number, number, number][]; tried: Tried | null }
  /** `missing`: a file that it needs cannot be had just now; else something is broken. */
  | { id: number; failed: string; missing: boolean };

const SLICE = 50;
const HINT_MOVES = 5;
const COMPARED = 2; // the best move is told from the next
const engines = new Map<string, Promise<Engine>>();

/** Who thinks: a level in a style, if there is one like that. */
function botOf({ manifest: { bots } }: Engine, { level, style }: Thought): string {
  const styled = `${level}-${style}`;
  return styled in bots ? styled : level;
}

async function engineOf({ thought, root }: Task): Promise<Engine> {
  const { game, players } = thought;
  let opening = engines.get(game);
  if (!opening) {
    opening = openGame(root);
    engines.set(game, opening);
    opening.catch(() => engines.delete(game));
  }
  const engine = await opening;
  await takeNetwork(engine, root, players, botOf(engine, thought));
  return engine;
}

async function think(task: Task): Promise<Answer> {
  const engine = await engineOf(task);
  const { thought, id, seconds } = task;
  const all = bytesOf(thought.past);
  const size = all.length / 2;
  const past = size === 0 ? [] : [all.slice(0, size), all.slice(size)];
  const position = { state: bytesOf(thought.state), seat: thought.seat, seed: thought.seed, past };
  if (seconds === null) return { id, action: engine.choose(position, botOf(engine, thought)) };
  const thinking = engine.think(position, thought.level, { seconds });
  while (!thinking.done) thinking.run(SLICE);
  const network = engine.manifest.bots[thought.level]?.network === true;
  const found = thinking.advice().slice(0, HINT_MOVES);
  const watched =
    network && found.length > 0
      ? engine.watch(
          position,
          thought.level,
          found.slice(0, COMPARED).map(({ line }) => line),
        )
      : null;
  return {
    id,
    network,
    moves: found.map(({ action, chance, error }) => [action, chance, error]),
    tried: watched && { ...watched, worlds: watched.worlds.map(hexOf) },
  };
}

self.onmessage = ({ data }: MessageEvent<Task>) => {
  think(data).then(
    (answer) => self.postMessage(answer),
    (error: unknown) => self.postMessage({ id: data.id, failed: String(error), missing: error instanceof Missing } satisfies Answer),
  );
};
