import type { GamePage, OptionField } from '../contract';
import { deed } from './deed';
import Dot from './Dot.svelte';
import { lettering } from './lettering';
import './look.css';
import Picture from './Picture.svelte';
import { hear } from './sounds';
import { lasts, mood } from './stage';
import sprite from './sprite.svg?raw';
import { text } from './text';

function options(): OptionField[] {
  const t = text().options;
  const some = [2, 4, 6].map((n) => ({ value: n, label: t.blacksOut({ n }) }));
  const choices = [{ value: 'mixed', label: t.blacksMixed() }, { value: 0, label: t.blacksNone() }, ...some];
  return [{ name: 'spare_blacks', label: t.blacks(), choices }];
}

export default {
  title: 'Orma',
  lettering,
  sprite,
  minutes: 20,
  points: () => true,
  say: (_, short) => (short ? text().home.short() : text().home.say()),
  Dot,
  Picture,
  board: () => import('./Orma.svelte'),
  hand: () => import('./OrmaHand.svelte'),
  standing: (view, seat) => ({
    figure: { value: view.scores[seat] ?? 0, label: text().points({ n: view.scores[seat] ?? 0 }) },
    held: view.hand_sizes[seat] ?? null,
  }),
  deed,
  hear,
  lasts,
  mood,
  options,
  end: () => import('./end'),
  lesson: { steps: () => import('./lesson.json'), text: (key) => text().lesson[key as 'hello']() },
} satisfies GamePage;
