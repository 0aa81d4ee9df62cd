/** What a refusal of the server means, in the reader's language. */
import type { LL } from './i18n.svelte';

export function refusal({ code, message, text }: { code: string; message?: string; text?: string }, LL: LL): string {
  const words = LL.shell.refused;
  switch (code) {
    case 'stale':
    case 'illegal':
    case 'not_your_turn':
    case 'not_saved':
    case 'full':
    case 'seat_taken':
    case 'not_allowed':
    case 'too_many':
    case 'too_many_here':
    case 'bad_name':
    case 'full_house':
    case 'too_many_connections':
    case 'too_slow':
      return words[code]();
    case 'offline':
      return LL.shell.link.offline();
    default:
      return words.other({ text: text ?? message ?? code });
  }
}
