/** A review made by the lab's own Python (src/tavolino/browser/review.py), move by move. */
import type { Review, Reviewed } from '../lib/review';
import type { Pack, Python, Refused } from './python';

/** The module that Python is started with for reviews. */
export const REVIEWS = 'tavolino.browser.review';

/** What a review needs besides what tables do, and how deep it looks: sampled worlds per line of play. */
export type ReviewPack = Pack & { tries: number };

type Said = { done: number; more: number[][] } | { review: Review } | Refused;

/** Review a record; tell how far it is after each move, and in the end the review. */
export function review(python: Python, record: Record<string, unknown>, tries: number, tell: (now: Reviewed) => void): void {
  const curve: number[][] = [];
  python.ask('begin', { record, tries });
  for (;;) {
    const said = python.ask<Said>('go_on', { told: curve.length }) as Said;
    if ('refused' in said) throw new Error(said.refused.text);
    if ('review' in said) return tell({ done: 1, curve: said.review.curve, review: said.review });
    curve.push(...said.more);
    tell({ done: Math.min(0.99, said.done), curve, review: null });
  }
}
