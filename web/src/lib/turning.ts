/** How the scores went, move by move, and the move after which the winner was never caught again. */
import type { Replay } from './api';

export interface Course {
  /** Scores after 0, 1, 2 … steps, by seat. */
  lines: number[][];
  /** The step (from 0) with which the winner took the lead for good; null if nobody else ever led. */
  turning: number | null;
}

export function course(replay: Replay): Course {
  const scores = [replay.view.scores, ...replay.steps.map((step) => step.position.scores as number[])];
  const lines = replay.names.map((_, seat) => scores.map((now) => now[seat] ?? 0));
  const winner = replay.result.winners.length === 1 ? replay.result.winners[0]! : null;
  if (winner === null) return { lines, turning: null };
  const leads = (now: number[]) => now.every((score, seat) => seat === winner || score < now[winner]!);
  let behind = scores.length - 1;
  while (behind >= 0 && leads(scores[behind]!)) behind--;
  const everBehind = scores.some((now) => now.some((score) => score > now[winner]!));
  if (!everBehind || behind < 0 || behind >= replay.steps.length) return { lines, turning: null };
  return { lines, turning: behind };
}
