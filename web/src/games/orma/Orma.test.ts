import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import played from '../../../dev/orma/fixture.json';
import type { BoardProps, GameEvent, Offer } from '../../lib/board';
import { setLocale } from '../../lib/i18n.svelte';
import Orma from './Orma.svelte';
import { COLOURS } from './types';
import type { Hand, OrmaView } from './types';

interface Step {
  word: string | null;
  events: GameEvent[];
  view: Partial<OrmaView>;
  open: number[][];
  drawn: OrmaView['drawn'];
  legal: Offer[];
}
interface Table {
  names: string[];
  common: Partial<OrmaView>;
  steps: Step[];
}
const tables = played.tables as unknown as Record<string, Table>;

/** The props of a seat at a step of a game that was played. */
function at(step: number, seat: number | null = 0, table = '3'): BoardProps<OrmaView> {
  const { names, common, steps } = tables[table]!;
  const now = steps[step]!;
  const hands = now.open.map((counts) => Object.fromEntries(COLOURS.map((colour, i) => [colour, counts[i]])) as Hand);
  const moving = seat !== null && now.view.to_move === seat;
  const moves = steps.slice(1, step + 1).map(({ word }) => word!);
  const own = { moves, hand: seat === null ? null : hands[seat]!, drawn: moving ? now.drawn : null };
  return {
    view: { ...common, ...now.view, ...own } as OrmaView,
    seat,
    legal: moving ? now.legal : [],
    names,
    events: now.events,
    tick: step,
    waiting: false,
    undo: 0,
    onplay: vi.fn(),
    onundo: vi.fn(),
    hint: null,
    replay: false,
  };
}

function count(selector: string): number {
  return document.querySelectorAll(selector).length;
}

/** The window of the ground: jsdom has no sizes. */
class FixedSize {
  constructor(private tell: ResizeObserverCallback) {}
  observe(target: Element): void {
    this.tell([{ target } as ResizeObserverEntry], this as unknown as ResizeObserver);
  }
  unobserve(): void {}
  disconnect(): void {}
}

beforeAll(async () => {
  Element.prototype.animate ??= () => ({}) as Animation;
  vi.stubGlobal('ResizeObserver', FixedSize);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  await setLocale('en');
});
afterEach(cleanup);
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the table shows what the view says: tokens, stacks, points', () => {
  const props = at(41);
  render(Orma, { props });
  const laid = props.view.rows.reduce((sum, { length }) => sum + length, 0) + props.view.blacks.length;
  expect(count('[data-token]')).toBe(laid);
  for (const colour of COLOURS) {
    const stack = document.querySelector<HTMLElement>(`[data-stack="${colour}"]`)!;
    expect(Number(stack.dataset.count)).toBe(props.view.hand![colour]);
  }
  expect(document.querySelector('[data-turn]')!.textContent).toContain('Your turn');
});

test('a token, then a place: exactly what the server offers, and the word it gave', async () => {
  const props = at(41);
  render(Orma, { props });
  const offers = props.legal.filter(({ colour }) => colour === 'blue');
  await fireEvent.click(document.querySelector('[data-stack="blue"]')!);
  expect(count('.ghost.lit')).toBe(offers.length);
  for (const { place, points } of offers) {
    expect(document.querySelector(`[data-place="${place}"]`)!.getAttribute('aria-label')).toContain(`+${points} point`);
  }
  await fireEvent.click(document.querySelector(`[data-place="${offers[0]!.place}"]`)!);
  expect(props.onplay).toHaveBeenCalledWith(offers[0]!.word);
});

test('a place, then a token', async () => {
  const props = at(41);
  render(Orma, { props });
  const place = props.legal.find((offer) => props.legal.filter((one) => one.place === offer.place).length > 1 && offer.place)!.place;
  const offer = props.legal.find((one) => one.place === place)!;
  await fireEvent.click(document.querySelector(`[data-place="${place}"]`)!);
  expect(props.onplay).not.toHaveBeenCalled();
  await fireEvent.click(document.querySelector(`[data-stack="${offer.colour}"]`)!);
  expect(props.onplay).toHaveBeenCalledWith(offer.word);
});

test('a token just drawn is the only one to lay, or is kept', async () => {
  const props = at(57);
  render(Orma, { props });
  expect(count('.stack[aria-disabled="false"]')).toBe(1);
  await fireEvent.click(screen.getByRole('button', { name: 'Keep it' }));
  expect(props.onplay).toHaveBeenCalledWith('keep');
});

test('nothing is sent twice, out of turn, or while looking back', async () => {
  const props = at(41);
  render(Orma, { props: { ...props, waiting: true } });
  await fireEvent.click(document.querySelector('[data-stack="blue"]')!);
  await fireEvent.click(document.querySelector('.ghost.lit')!);
  expect(props.onplay).not.toHaveBeenCalled();
  cleanup();
  render(Orma, { props: at(39) });
  expect(count('.ghost')).toBe(0);
  cleanup();
  render(Orma, { props: { ...props, replay: true } });
  expect(count('.ghost')).toBe(0);
});

test('by keyboard: a digit picks a token, Enter on a place lays it', async () => {
  const props = at(41);
  render(Orma, { props });
  await fireEvent.keyDown(document.body, { key: '5' });
  await vi.waitFor(() => expect(document.activeElement?.className).toContain('ghost'));
  const place = (document.activeElement as HTMLElement).dataset.place;
  await fireEvent.click(document.activeElement!);
  expect(props.onplay).toHaveBeenCalledWith(`blue@${place}`);
});

test('a spectator sees everyone and no hand', () => {
  const props = at(41, null, '5');
  render(Orma, { props });
  expect(count('[data-seat]')).toBe(5);
  expect(count('[data-stack]')).toBe(0);
});

test('whole games can be drawn, step by step', async () => {
  for (const table of ['2', '5']) {
    const { rerender } = render(Orma, { props: at(0, 0, table) });
    for (let step = 1; step < tables[table]!.steps.length; step += 5) {
      const props = at(step, 0, table);
      await rerender(props);
      const laid = props.view.rows.reduce((sum, { length }) => sum + length, 0) + props.view.blacks.length;
      expect(count('[data-token]')).toBe(laid);
      const places = new Set(props.legal.flatMap(({ place }) => (place ? [place] : [])));
      expect(count('.ghost')).toBe(places.size);
    }
    cleanup();
  }
}, 60_000);
