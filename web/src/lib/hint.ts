/** A hint in words: why a move is good, and how near the others come. No rule is known here: the bots give the reasons. */
import { deed } from './describe';
import { i18n } from './i18n.svelte';
import type { HintMove, HintReason } from './messages';
import { listed } from './names';
import { fill, whole } from './sentences';
import type { Offer } from './board';
import type { Teller } from './telling';

/** What a move costs; all other reasons speak for it. */
export const PRICES = new Set(['forgoes', 'gives', 'risk']);
export const AFTER = 'then'; // the rest of the turn: not why, but how

/** Whether a reason says why a move is good. */
export const speaksFor = ({ code }: { code: string }): boolean => code !== AFTER && !PRICES.has(code);

/** A move that we may make, as we would tell it. */
export const deedOf = (word: string, teller: Teller): string => deed({ seat: teller.you, name: '', words: [word], events: null }, teller);

/** The reasons as sentences with their codes: what speaks for the move, then how the turn goes on, then its price. */
export function reasonsOf(
  move: Pick<HintMove, 'reasons'>,
  teller: Teller,
  words: Record<string, string>,
): { code: string; text: string }[] {
  const rank = ({ code }: HintReason) => (code === AFTER ? 1 : PRICES.has(code) ? 2 : 0);
  return [...(move.reasons ?? [])]
    .sort((a, b) => rank(a) - rank(b))
    .flatMap((reason) => {
      const text = sentenceOf(reason, teller, words);
      return text === null ? [] : [{ code: reason.code, text }];
    });
}

/** Null without a sentence for it: an event's code is a program's word, not one for people. */
function sentenceOf({ code, values }: HintReason, teller: Teller, words: Record<string, string>): string | null {
  const { event, offer, word, words: rest, other, points } = values;
  const sentence = words[event === undefined ? `reason.${code}` : `reason.${code}.${String(event)}`];
  if (sentence === undefined) return null;
  const later: Teller = offer ? { ...teller, legal: [...(teller.legal ?? []), offer as Offer] } : teller;
  const quoted = (one: unknown) => teller.LL.chance.quoted({ move: deedOf(String(one), later) });
  const told = {
    ...values,
    ...(word !== undefined && { word: quoted(word) }),
    ...(other !== undefined && { other: quoted(other) }),
    ...(Array.isArray(rest) && { words: rest.map((one) => deedOf(String(one), later)) }),
    ...(typeof points === 'number' && { points: points.toLocaleString(i18n.locale) }),
  };
  return whole(fill(sentence, told, teller.names, words));
}

export type Standing = 'same' | 'near' | 'ahead';
export type Ranged = Pick<HintMove, 'chance' | 'low' | 'high'>;

/** How the best move stands to another: as good if that one's chance lies in its range, nearly so if only the ranges overlap. */
export function standing(best: Ranged, other: Ranged): Standing {
  if (other.chance >= (best.low ?? best.chance)) return 'same';
  return (other.high ?? other.chance) > (best.low ?? best.chance) ? 'near' : 'ahead';
}

/** The sentence that compares the best move with the others, which are told by their numbers; null if there is no other. */
export function verdict([best, ...others]: Ranged[], LL: Teller['LL']): string | null {
  if (!best || others.length === 0) return null;
  const all = others.map((other) => standing(best, other));
  const nearest = (['same', 'near'] as const).find((one) => all.includes(one));
  if (nearest === undefined) return LL.chance.ahead();
  const numbers = all.flatMap((one, i) => (one === nearest ? [String(i + 2)] : []));
  return LL.chance[nearest]({ list: listed(numbers, LL) });
}
