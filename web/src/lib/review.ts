/** The review of a finished game, as the server makes it (docs/lab.md), and what of it belongs to which move of the replay. */
import { followHere } from '../local/reviews';
import { canRun } from '../local/tables';
import { SITE } from '../local/site';
import { Problem, recordOf, reviewOf, type Replay } from './api';
import type { Offer } from './board';
import type { HintReason } from './messages';

/** With its 95 % interval. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

export interface Candidate {
  word: string;
  offer: Offer;
  chance: number;
  reasons: HintReason[];
}

export interface ReviewStep {
  /** How many words had been played with this one. */
  number: number;
  word: string;
  /** Null for dice. */
  seat: number | null;
  /** What the mover's error and luck changed for each seat. */
  error: number[];
  luck: number[];
  decision: { verdict: 'best' | 'fine' | 'slip' | 'blunder'; best: string; error: Estimate; candidates: Candidate[] } | null;
}

export interface Moment {
  /** 0 is the deal. */
  step: number;
  kind: 'error' | 'luck';
  code: 'deal' | 'error' | 'lucky_draw' | 'unlucky_draw' | 'lucky_dice' | 'unlucky_dice' | 'hidden' | 'surprise';
  /** Whose error, or who was lucky or not. */
  seat: number | null;
  change: number[];
  better: string | null;
  reasons: HintReason[];
  /** The share of the possible draws that would have been at least as good, or as bad. */
  rarity: number | null;
}

/** Of one seat: start + own errors + others' errors + luck = end. */
export interface Account {
  seat: number;
  start: number;
  own_errors: Estimate;
  others_errors: Estimate;
  luck: Estimate;
  luck_parts: Record<string, number>;
  end: number;
  decisions: number;
  best: number;
  /** 1000 times the chance lost per decision. */
  error_rate: number;
}

export interface Headline {
  code: 'led_throughout' | 'comeback' | 'close' | 'one_error' | 'one_draw' | 'shared' | 'unfinished';
  values: { seat?: number; seats?: number[]; other?: number; step?: number; chance?: number };
}

export interface Review {
  winners: number[] | null;
  /** Sampled games per line of play. */
  tries: number;
  curve: number[][];
  steps: ReviewStep[];
  account: Account[];
  turning_points: number[];
  moments: Moment[];
  headline: Headline;
}

/** How far a review is: the share that is done, and the chances of all seats after each word so far. */
export interface Reviewed {
  done: number;
  curve: number[][];
  review: Review | null;
}

const PAUSE = 500;
const PATIENCE = 3000; // after a refusal: many games may be waiting to be reviewed

/** Hear of a review until it is there, or will never be; returns what stops that. Where this browser can, it makes it itself. */
export function followReview(id: string, game: number, tell: (now: Reviewed) => void): () => void {
  let stop = (): void => undefined;
  let stopped = false;
  const elsewhere = (): void => {
    if (stopped) return;
    if (SITE) tell({ done: 1, curve: [], review: null });
    else stop = askServer(id, game, tell);
  };
  const here = async (): Promise<void> => {
    const asked = SITE ? null : await reviewOf(id, game, false);
    const record = asked && (asked.done > 0 || !asked.tries) ? null : await recordOf(id, game);
    if (stopped) return;
    if (!record || !(await canRun(String(record['game'])))) return elsewhere();
    stop = followHere(`${id}/${game}`, record, asked?.tries, (now) => {
      if (!('failed' in now)) return tell(now);
      console.error(`the review failed here: ${now.failed}`);
      stop();
      elsewhere();
    });
    if (stopped) stop();
  };
  here().catch(elsewhere);
  return () => {
    stopped = true;
    stop();
  };
}

/** Ask the server for a review until it is there, or will never be. */
function askServer(id: string, game: number, tell: (now: Reviewed) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const ask = (): void => {
    reviewOf(id, game, true).then(
      (now) => {
        if (stopped) return;
        tell(now);
        if (now.done < 1) timer = setTimeout(ask, PAUSE);
      },
      (problem: Problem) => {
        if (stopped) return;
        if (problem.code === 'too_fast' || problem.code === 'offline') timer = setTimeout(ask, PATIENCE);
        else tell({ done: 1, curve: [], review: null });
      },
    );
  };
  ask();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** How many words had been played after 0, 1, 2 … decisions: a decision has the dice that fell after it. */
export function endsOf(replay: Replay): number[] {
  const found = [0];
  for (const step of replay.steps) found.push(found.at(-1)! + step.words.length);
  return found;
}

/** The decision, counted from 1, that a word belongs to; 0 is the deal. */
export const decisionOf = (ends: number[], step: number): number => ends.findIndex((end) => end >= step);

/** The chances after each decision, as far as they are known. */
export const chancesBy = (ends: number[], curve: number[][]): number[][] => ends.flatMap((end) => (curve[end] ? [curve[end]] : []));

/** A share as points of 100, with its sign where it is a change. */
export const points = (share: number): number => Math.round(share * 100) || 0;
export const change = (share: number): string => {
  const n = points(share);
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0';
};

/** A seat's account in whole points that add up: what rounding lost goes to the part that lost most of it. */
export function rounded({ start, own_errors, others_errors, luck, end }: Account): {
  start: number;
  own: number;
  others: number;
  luck: number;
  end: number;
} {
  const parts = [own_errors.value, others_errors.value, luck.value].map((share) => share * 100);
  const whole = parts.map((part) => Math.round(part) || 0);
  let missing = points(end) - points(start) - whole.reduce((sum, part) => sum + part, 0);
  while (missing !== 0) {
    const step = Math.sign(missing);
    const off = parts.map((part, i) => (part - whole[i]!) * step);
    const most = off.indexOf(Math.max(...off));
    whole[most]! += step;
    missing -= step;
  }
  const [own = 0, others = 0, rest = 0] = whole;
  return { start: points(start), own, others, luck: rest, end: points(end) };
}
