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
import type { SockView } from './types';
import { sayPoints } from './words';

function options(): OptionField[] {
  const t = text().options;
  return [
    {
      name: 'basket',
      label: t.basket(),
      choices: [
        { value: 'aimed', label: t.basketAimed() },
        { value: 'plain', label: t.basketPlain() },
        { value: 'table', label: t.basketTable() },
      ],
    },
    {
      name: 'sock_values',
      label: t.socks(),
      choices: [
        { value: [2, 2, 4, 4, 6, 8], label: t.socksUsual() },
        { value: [4, 4, 4, 4, 4, 4], label: t.socksFlat() },
        { value: [2, 2, 2, 8, 8, 8], label: t.socksWild() },
      ],
    },
  ];
}

export default {
  title: 'Out of Sock',
  lettering,
  sprite,
  placesLog: true,
  open: true,
  minutes: 15,
  points: () => true,
  say: (_, short) => (short ? text().home.short() : text().home.say()),
  Dot,
  Picture,
  board: () => import('./OutOfSock.svelte'),
  hand: () => import('./OutOfSock.svelte'),
  standing: (view: SockView, seat) => ({
    figure: { value: view.scores[seat] ?? 0, label: sayPoints(text(), view.scores[seat] ?? 0) },
    held: null,
  }),
  deed,
  hear,
  lasts,
  mood,
  options,
  end: () => import('./end'),
  lesson: { steps: () => import('./lesson.json'), text: (key) => text().lesson[key as 'hello']() },
} satisfies GamePage;
