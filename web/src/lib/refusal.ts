/** What a refusal of the server means, in the reader's language: its reason, or its code; never the server's own English. */
import type { LL } from './i18n.svelte';
import { CODES, REASONS, type Code, type Reason } from './messages';
import { SITE } from '../local/site';
import { fill, whole } from './sentences';

export interface Refusal {
  /** The server's, or `offline`; a newer server may know more of them. */
  code: string;
  reason?: string;
  values?: Record<string, unknown>;
}

type Say = (values: Record<string, unknown>) => string;

/** `words`: those of the game, which say what its rules refuse; `names`: of its players. */
export function refusal(
  { code, reason = '', values = {} }: Refusal,
  LL: LL,
  words: Record<string, string> = {},
  names: string[] = [],
): string {
  const own = reason === 'rule' ? words[`refused.${String(values['why'])}`] : undefined;
  if (own !== undefined) return whole(fill(own, (values['values'] ?? {}) as Record<string, unknown>, names, words));
  if (code === 'offline') return SITE ? LL.here.missing() : LL.link.offline();
  if (REASONS.includes(reason as Reason)) return (LL.reasons[reason as Reason] as Say)(values);
  return CODES.includes(code as Code) ? (LL.refused[code as Code] as Say)(values) : LL.refused.internal();
}

/** The clauses of the rules that forbid a move, to be read. */
export const clausesOf = ({ reason, values }: Refusal): string[] =>
  reason === 'rule' ? String(values?.['clauses'] ?? '').split(', ').filter(Boolean) : []; // prettier-ignore
