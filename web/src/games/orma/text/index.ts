/** The game's words in the language chosen. */
import type { Words } from '../../../i18n/types';
import { wordsOf } from '../../../lib/i18n.svelte';
import type en from './en';

export type Text = Words<typeof en>;
export const text = (): Text => wordsOf<typeof en>('orma');
