/** A reviewed game in words: the sentence it is remembered by, its turning point, the moments that decided it. No rule is known here. */
import type { Replay } from './api';
import type { HintMove, Offer } from './board';
import { deed, sentence } from './describe';
import { AFTER, PRICES, reasonsOf } from './hint';
import { listed } from './names';
import { decisionOf, points, type Moment, type Review } from './review';
import { capital, whole } from './sentences';
import type { Teller } from './telling';

/** A game that was reviewed, and who is told. */
export interface Reviewed {
  review: Review;
  replay: Replay;
  /** `endsOf` the replay. */
  ends: number[];
  teller: Teller;
}

/** The name of a seat, where it is not you. */
const named = (seat: number | null | undefined, { names }: Teller): string => names[seat ?? -1] ?? '';

/** What somebody did at a decision, counted from 1, as a sentence. */
const told = ({ replay, teller }: Reviewed, decision: number): string => {
  const step = replay.steps[decision - 1];
  return step ? sentence(step, teller) : '';
};

/** The game in one sentence. */
export function headline(game: Reviewed): string {
  const { review, ends, teller } = game;
  const { code, values } = review.headline;
  const { you, LL } = teller;
  const t = LL.story;
  const { seat = 0, other = 0, step = 0, chance = 0 } = values;
  const who = { name: named(seat, teller), other: named(other, teller), n: decisionOf(ends, step) };
  switch (code) {
    case 'led_throughout':
      return seat === you ? t.youLed() : t.led(who);
    case 'comeback':
      if (who.n === 0) return seat === you ? t.youFromBehind() : t.fromBehind(who);
      return seat === you ? t.youCameBack(who) : other === you ? t.youLostIt(who) : t.cameBack(who);
    case 'close':
      return seat === you ? t.youPassed(who) : other === you ? t.passedYou(who) : t.passed(who);
    case 'one_error':
      return other === you ? t.yourError(who) : seat === you ? t.theirErrorYours(who) : t.theirError(who);
    case 'one_draw':
      return seat === you ? t.yourDraw(who) : t.draw(who);
    case 'shared':
      return t.shared({
        names: listed(
          (values.seats ?? []).map((one) => named(one, teller)),
          LL,
        ),
      });
    case 'unfinished':
      return seat === you ? t.youAhead({ n: points(chance) }) : t.ahead({ ...who, n: points(chance) });
  }
}

/** The moment a game turned for good: the last change of the lead in chance, or what changed the winner's chance most. */
export interface Turning {
  /** The decision, counted from 1. */
  at: number;
  what: string;
  /** For whom the chances are told: you, or the winner where yours hardly changed. */
  seat: number;
  from: number;
  to: number;
}

export function turningPoint(game: Reviewed): Turning | null {
  const { review, ends, teller } = game;
  const hero = heroOf(review, teller.you);
  const most = [...review.moments].filter(({ step }) => step > 0).sort((a, b) => Math.abs(b.change[hero]!) - Math.abs(a.change[hero]!))[0];
  const step = review.turning_points.at(-1) ?? most?.step;
  if (step === undefined) return null;
  const at = decisionOf(ends, step);
  const moved = (seat: number) => [ends[at - 1]!, ends[at]!].map((end) => points(review.curve[end]?.[seat] ?? 0)) as [number, number];
  const size = (seat: number) => Math.abs(moved(seat)[1] - moved(seat)[0]);
  const winner = heroOf(review, null);
  const seat = 2 * size(hero) >= size(winner) ? hero : winner; // what hardly moved you tells nothing
  const [from, to] = moved(seat);
  return { at, what: told(game, at), seat, from, to };
}

/** For whom changes are told: you, or the winner, or whoever is ahead. */
export function heroOf({ winners, curve }: Review, you: number | null): number {
  const last = curve.at(-1) ?? [];
  return you ?? winners?.[0] ?? last.indexOf(Math.max(...last));
}

/** A moment in words. */
export interface MomentWords {
  /** The decision, counted from 1; 0 is the deal. */
  at: number;
  kind: string;
  /** Label and text: what was played, what would have been better, why; or how rare it was. */
  lines: { label: string; text: string; strong: boolean }[];
  /** For the one who is told, in points. */
  change: number;
  /** The better move and the one that was played, to be marked on the board. */
  hint: HintMove[];
  legal: Offer[];
}

export function momentWords(moment: Moment, game: Reviewed, words: Record<string, string>): MomentWords {
  const { review, replay, ends, teller } = game;
  const t = teller.LL.review;
  const at = decisionOf(ends, moment.step);
  const { seat } = moment;
  const mine = seat === teller.you && seat !== null;
  const name = named(seat, teller);
  const lines: MomentWords['lines'] = [];
  const step = replay.steps[at - 1];
  if (step) {
    const label =
      step.seat === null ? t.happened() : step.seat === teller.you ? t.youPlayed() : t.played({ name: named(step.seat, teller) });
    lines.push({ label, text: capital(deed(step, teller)), strong: true });
  }
  const decision = moment.code === 'error' ? review.steps[moment.step - 1]?.decision : null;
  const legal = decision?.candidates.map((one) => one.offer) ?? [];
  const marked = [moment.better, review.steps[moment.step - 1]?.word].flatMap(
    (word) => decision?.candidates.find((one) => one.word === word) ?? [],
  );
  if (moment.code === 'error') {
    // The reasons speak to the one who is to move, as a hint does.
    const reasons = reasonsOf({ reasons: moment.reasons }, { ...teller, you: seat, legal }, words);
    const then = reasons.filter((one) => one.code === AFTER).map((one) => one.text);
    const why = reasons.filter((one) => one.code !== AFTER && !PRICES.has(one.code)).map((one) => one.text);
    if (moment.better !== null) {
      const better = whole(capital(deed({ seat, name: '', words: [moment.better], events: null }, { ...teller, legal })));
      lines.push({ label: t.better(), text: [better, ...(mine ? then : [])].join(' '), strong: true });
    }
    if (why.length === 0) lines.push({ label: t.because(), text: t.more({ n: points(decision?.error.value ?? 0) }), strong: false });
    else if (mine) lines.push({ label: t.because(), text: why.join(' '), strong: false });
    else lines.push({ label: t.advice({ name }), text: teller.LL.chance.quoted({ move: why.join(' ') }), strong: false });
  } else if (moment.code === 'hidden') lines.push({ label: t.because(), text: mine ? t.hiddenYou() : t.hidden({ name }), strong: false });
  else if (moment.code === 'surprise')
    lines.push({ label: t.because(), text: mine ? t.surpriseYou() : t.surprise({ name }), strong: false });
  else if (moment.code === 'deal') lines.push({ label: t.because(), text: t.dealt(), strong: false });
  else if (moment.rarity !== null) {
    const values = { n: Math.max(1, points(moment.rarity)), who: mine ? t.toYou() : name };
    const [good, dice] = [moment.code.startsWith('lucky'), moment.code.endsWith('dice')];
    const text = good ? (dice ? t.goodDice(values) : t.goodDraw(values)) : dice ? t.badDice(values) : t.badDraw(values);
    lines.push({ label: t.rare(), text, strong: false });
  }
  return { at, kind: kindOf(moment, teller), lines, change: points(moment.change[heroOf(review, teller.you)] ?? 0), hint: marked, legal };
}

function kindOf({ code, seat }: Moment, teller: Teller): string {
  const t = teller.LL.review.kinds;
  const name = named(seat, teller);
  if (code === 'error') return seat === teller.you ? t.yourError() : t.error({ name });
  if (code === 'deal' || code === 'hidden' || code === 'surprise') return t[code]();
  return code.endsWith('dice') ? t.dice() : t.draw();
}
