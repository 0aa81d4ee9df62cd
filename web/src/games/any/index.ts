/** The page of a game that brings none: all it says comes from the server. */
import { textOf } from '../../lib/texts.svelte';
import type { GameInfo } from '../../lib/api';
import { paper } from '../../lib/sound.svelte';
import type { GamePage, OptionField, Standing } from '../contract';
import Dot from './Dot.svelte';
import './look.css';
import Picture from './Picture.svelte';
import { areasOf, type Dict } from './model';
import { text } from './text';
import { deed, labelOf, ownOf, valueOf } from './words';

/** The options with a few values to choose from; others stay as the game has them. */
function options({ key, options }: GameInfo): OptionField[] {
  return options.flatMap(({ name, default: usual, choices }) => {
    const all = choices ?? (typeof usual === 'boolean' ? [true, false] : []);
    if (all.length < 2) return [];
    const values = [usual, ...all.filter((one) => one !== usual)] as (string | number | boolean)[];
    const words = textOf(key)?.words ?? {};
    return {
      name,
      label: words[`option.${name}`] ?? labelOf(key, name),
      choices: values.map((value) => ({ value, label: words[`option.${name}.${value}`] ?? valueOf(key, value) })),
    };
  });
}

/** The first figure of a seat, and what it holds hidden. */
function standing(view: Dict, seat: number): Standing {
  const { numbers, hidden } = areasOf(view, ownOf(String(view['game']))).seats[seat]!;
  const [first] = numbers;
  if (!first) return { figure: null, held: hidden };
  const label = first.key === 'scores' ? text().score() : labelOf(String(view['game']), first.key);
  return { figure: { value: first.value, label: `${label} ${first.value}` }, held: hidden };
}

export default {
  points: (scores) => scores.some((score) => score !== 0 && score !== 1),
  named: true,
  placesLog: true,
  say: (game) => textOf(game)?.words['say'] ?? '',
  Dot,
  Picture,
  board: () => import('./Any.svelte'),
  hand: () => import('./Any.svelte'),
  standing,
  deed,
  hear: (event) => event.type !== 'move_undone' && paper(),
  options,
  end: () => import('./end'),
} satisfies GamePage;
