/** The computer's players: each has its name, and with it its face, on every screen and wherever it sits. */
import type { LL } from './i18n.svelte';
import { CHARACTERS, STYLED } from './messages';
import { textOf } from './texts.svelte';

const FACES = [0, 2, 1, 3, 4]; // the drawing of each in art/Avatar.svelte

/** Which of ours a name is, "Mirto 2" like "Mirto"; -1 for other names. */
const plant = (name: string): number => CHARACTERS.findIndex((one) => one.name === name.replace(/ \d+$/, ''));

/** Which drawing a bot of this name has; one without a name of ours takes that of its seat. */
export function plantOf(name: string, seat: number): number {
  const known = plant(name);
  return FACES[(known >= 0 ? known : seat) % FACES.length]!;
}

/** A bot's level in the reader's language; one of the server's own bots has its name instead. */
export const levelName = (level: string, LL: LL): string => (level in LL.levels ? LL.levels[level as 'medium']() : level);

/** What kind of computer plays there: its level, or the name of one of the server's own bots. */
export const kindOf = (level: string | null | undefined, LL: LL): string =>
  !level || level in LL.levels ? LL.away.bot({ level: levelName(level ?? 'medium', LL) }) : level;

/** What a bot likes in a game, as the game says it after the bot's name; empty where it has no habits, as at level easy or one of the server's own. */
export const habitOf = ({ name, level }: { name: string; level: string | null }, game: string): string =>
  (level !== null && STYLED.includes(level) && textOf(game)?.words[`style.${CHARACTERS[plant(name)]?.style}`]) || '';

/** How quickly a bot of this name plays, on every screen alike: some take their time. */
export const tempoOf = (name: string): number => CHARACTERS[plant(name)]?.tempo ?? 1;

const GLAD = ['laugh', 'thanks', 'laugh', 'thanks', 'laugh'] as const;
/** What a bot shows when something pleases or vexes it. */
export const reaction = (name: string, mood: 'glad' | 'vexed'): 'laugh' | 'thanks' | 'oops' =>
  mood === 'vexed' ? 'oops' : (GLAD[plant(name)] ?? 'laugh');
