/** The board's own words in the language chosen; those of the game come from the server. */
import type { Words } from '../../../i18n/types';
import { wordsOf } from '../../../lib/i18n.svelte';
import type en from './en';

export type Text = Words<typeof en>;
export const text = (): Text => wordsOf<typeof en>('any');
