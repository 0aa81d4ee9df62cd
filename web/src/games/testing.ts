/** What the tests of the games' words share: a decision, whoever tells it, and text without its hard spaces. */
import type { Teller, Told } from '../lib/telling';
import { i18n } from '../lib/i18n.svelte';

export const step = (seat: number | null, words: string[], events: object[] | null = []): Told => ({
  seat,
  name: seat === null ? '' : ['Ada', 'Mirto'][seat]!,
  words,
  events: events as Told['events'],
});
export const teller = (game: string, you: number | null = 0, more: Partial<Teller> = {}): Teller => ({
  LL: i18n.LL,
  game,
  names: ['Ada', 'Mirto'],
  you,
  moves: [],
  ...more,
});
export const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
