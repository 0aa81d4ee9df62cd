/** A worker that reviews one finished game: Python in MicroPython, lines of play tried in WebAssembly. */
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';
import micropython from '@micropython/micropython-webassembly-pyscript/micropython.wasm?url';
import type { Reviewed } from '../lib/review';
import { load, openGame, takeNetwork } from './files';
import { Python, type GamePack, type Pack } from './python';
import { review, REVIEWS, type ReviewPack } from './reviewing';

export interface ReviewTask {
  /** Where the engine's files are. */
  root: string;
  record: Record<string, unknown>;
  /** Sampled worlds per line of play; by default as many as the site says. */
  tries: number | undefined;
}
export type ReviewSaid = Reviewed | { failed: string };

const send = (said: ReviewSaid): void => self.postMessage(said);

async function start({ root, record, tries }: ReviewTask): Promise<void> {
  const folder = `${root}${String(record['game'])}/`;
  const [engine, game, tables, reviews] = await Promise.all([
    openGame(folder),
    load<GamePack>(`${folder}python.json`),
    load<Pack>(`${root}python.json`),
    load<ReviewPack>(`${root}review.json`),
  ]);
  await takeNetwork(engine, folder, Number(record['seats']), 'expert');
  const python = await Python.start(loadMicroPython, [tables, reviews], REVIEWS, new URL(micropython, self.location.href).href);
  python.addGame(String(record['game']), game, engine);
  review(python, record, tries ?? reviews.tries, send);
}

self.onmessage = ({ data }: MessageEvent<ReviewTask>) => {
  start(data).catch((error: unknown) => send({ failed: String(error) }));
};
