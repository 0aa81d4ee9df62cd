/** What a refusal of the server means, in the reader's language: its reason, or its code; never the server's own English. */
import type { LL } from './i18n.svelte';
import { CODES, REASONS, type Code, type Reason } from './messages';

export interface Refusal {
  /** The server's, or `offline`; a newer server may know more of them. */
  code: string;
  reason?: string;
  values?: Record<string, string | number>;
}

type Say = (values: Record<string, string | number>) => string;

export function refusal({ code, reason = '', values = {} }: Refusal, LL: LL): string {
  const { refused, reasons } = LL;
  if (code === 'offline') return LL.link.offline();
  if (REASONS.includes(reason as Reason)) return (reasons[reason as Reason] as Say)(values);
  return CODES.includes(code as Code) ? (refused[code as Code] as Say)(values) : refused.internal();
}

/** The first clause of the rules that forbids a move, to be read. */
export const clauseOf = ({ reason, values }: Refusal): string | null =>
  reason === 'rule' ? String(values?.['clauses'] ?? '').split(', ')[0] || null : null;
