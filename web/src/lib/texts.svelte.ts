/** The games' own words, as the server has them in each language. */
import { wordsIn, type GameText } from './api';
import { i18n } from './i18n.svelte';

let texts = $state.raw<Record<string, GameText>>({});
const asked = new Map<string, Promise<GameText>>();

/** Ask for a game's words in the language chosen, once. */
function loadText(game: string): Promise<GameText> {
  const key = `${game}/${i18n.locale}`;
  const known = asked.get(key);
  if (known) return known;
  const fresh = wordsIn(game, i18n.locale);
  asked.set(key, fresh);
  fresh.then(
    (found) => (texts = { ...texts, [key]: found }),
    () => asked.delete(key), // the next who asks tries again
  );
  return fresh;
}

/** The same as far as it is there: null at first, then reactive. */
export function textOf(game: string): GameText | null {
  void loadText(game).catch(() => undefined);
  return texts[`${game}/${i18n.locale}`] ?? null;
}
