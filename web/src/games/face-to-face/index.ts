import type { GameEvent } from '../../lib/board';
import type { GamePage } from '../contract';
import { deed } from './deed';
import Dot from './Dot.svelte';
import { lettering } from './lettering';
import './look.css';
import Picture from './Picture.svelte';
import { hear } from './sounds';
import { lasts, mood } from './stage';
import { text } from './text';
import type { FaceView } from './types';

function aside(events: GameEvent[]): string {
  const laid = events.find((event) => event.type === 'card_laid');
  const { helps, back, costs } = text().tag;
  return laid ? (laid.gift ? helps : laid.back ? back : costs)({ n: Math.abs(Number(laid.gap)) }) : '';
}

export default {
  title: 'Face to Face',
  lettering,
  minutes: 20,
  points: () => false,
  say: (_, short) => (short ? text().home.short() : text().home.say()),
  Dot,
  Picture,
  board: () => import('./FaceToFace.svelte'),
  hand: () => import('./FaceHand.svelte'),
  standing: (view: FaceView, seat) => ({
    figure: { value: view.laid[seat]!.length, label: text().laidOf({ n: view.laid[seat]!.length }) },
    held: view.hand_sizes[seat] ?? null,
  }),
  deed,
  hear,
  lasts,
  mood,
  options: () => [],
  end: () => import('./end'),
  lesson: { steps: () => import('./lesson.json'), text: (key) => text().lesson[key as 'hello'](), aside },
} satisfies GamePage;
