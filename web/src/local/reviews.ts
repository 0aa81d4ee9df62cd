/** Reviews made in this browser: one worker per review, which ends with it. Those of this visit are kept. */
import type { Reviewed } from '../lib/review';
import type { ReviewSaid, ReviewTask } from './reviewer';
import { engineFile } from './site';

interface Work {
  now: Reviewed | { failed: string };
  listeners: Set<(now: Work['now']) => void>;
}

const KEPT = 8;
const known = new Map<string, Work>();

function begin(task: ReviewTask): Work {
  const work: Work = { now: { done: 0, curve: [], review: null }, listeners: new Set() };
  const worker = new Worker(new URL('./reviewer.ts', import.meta.url), { type: 'module' });
  const tell = (now: Work['now']): void => {
    if ('failed' in now || now.done >= 1) worker.terminate();
    work.now = now;
    for (const listener of [...work.listeners]) listener(now);
  };
  worker.onmessage = ({ data }: MessageEvent<ReviewSaid>) => tell(data);
  worker.onerror = (event) => {
    event.preventDefault();
    tell({ failed: event.message });
  };
  worker.postMessage(task);
  return work;
}

/**
 * Hear how far the review of a game is, now and whenever it is further; `failed` if it cannot be made here. Without `tries`
 * it is as deep as can be. Returns what stops that.
 */
export function followHere(
  name: string,
  record: Record<string, unknown>,
  tries: number | undefined,
  hear: (now: Work['now']) => void,
): () => void {
  let work = known.get(name);
  if (!work || 'failed' in work.now) work = begin({ root: engineFile(''), record, tries });
  known.delete(name);
  known.set(name, work);
  for (const old of [...known.keys()].slice(0, -KEPT)) {
    const one = known.get(old)!;
    if ('failed' in one.now || one.now.done >= 1) known.delete(old);
  }
  work.listeners.add(hear);
  hear(work.now);
  return () => void work.listeners.delete(hear);
}
