import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import played from '../../../dev/face-to-face/fixture.json';
import type { BoardProps, GameEvent, Offer } from '../../lib/board';
import { LOCALES, setLocale } from '../../lib/i18n.svelte';
import FaceToFace from './FaceToFace.svelte';
import { text } from './text';
import { isLay, type FaceView, type Way } from './types';
import { isGift, tag } from './words';

interface Step {
  word: string | null;
  events: Record<string, GameEvent[]>;
  views: Record<string, Partial<FaceView>>;
  legal: Record<string, Offer[]>;
}
const steps = played.steps as unknown as Step[];
const names = played.names;

function at(index: number, seat: number | null, more: Partial<BoardProps<FaceView>> = {}): BoardProps<FaceView> {
  const step = steps[index]!;
  const view = { ...step.views['null'], ...step.views[String(seat)], moves: steps.slice(1, index + 1).map((one) => one.word!) };
  return {
    view: view as FaceView,
    seat,
    legal: step.legal[String(seat)] ?? [],
    names,
    events: step.events[String(seat)]!,
    tick: index,
    waiting: false,
    undo: 0,
    onplay: vi.fn(),
    onundo: vi.fn(),
    hint: null,
    replay: false,
    ...more,
  };
}

const find = (check: (step: Step) => boolean) => steps.findIndex(check);
const lays = (step: Step, seat = '0') => step.legal[seat]!.filter(isLay);
const card = (n: number) => document.querySelector<HTMLElement>(`.hcard[data-card="0:${n}"]`)!;
const pile = (of: number, way: Way) => document.querySelector<HTMLElement>(`[data-pile="${of}:${way}"]`)!;
const press = (element: Element) => fireEvent.click(element, { detail: 1 });
const said = () => document.querySelector('.turn')!.textContent!.trim();

beforeEach(() => setLocale('en'));
afterEach(cleanup);

describe('what the view says is what the table shows', () => {
  test.each([0, 1, null])('all along a whole game, seat %s', async (seat) => {
    const { rerender } = render(FaceToFace, { props: at(0, seat) });
    for (let index = 0; index < steps.length; index += seat === 0 && index < 20 ? 1 : 7) {
      const props = at(index, seat);
      await rerender(props);
      const view = props.view;
      for (const of of [0, 1]) {
        for (const way of ['up', 'down'] as const) expect(pile(of, way).dataset.top).toBe(String(view.piles[of]![way]));
      }
      const below = seat ?? 0;
      const hand = [...document.querySelectorAll<HTMLElement>('.hcard')].map((one) => Number(one.dataset.card!.split(':')[1]));
      expect(hand).toEqual(view.hand ?? []);
      expect(document.querySelectorAll('.me .slot').length).toBe(view.hand_sizes[below]);
      expect(document.querySelectorAll('.opp .backs .one').length).toBe(view.hand_sizes[1 - below]);
      expect(document.querySelectorAll('.opp .backs [data-card]').length).toBe(0);
      expect([...document.querySelectorAll('.count b')].map((one) => Number(one.textContent))).toEqual([
        view.draw_piles[1 - below],
        view.draw_piles[below],
      ]);
      for (const who of [0, 1]) expect(document.querySelector(`.meter[aria-label="${view.laid[who]!.length} of 58 laid"]`)).not.toBeNull();
      expect(Boolean(document.querySelector('.turn.theirs'))).toBe(view.to_move !== seat || seat === null);
    }
  });

  test('a replay with open hands shows both', () => {
    const hands = ['0', '1'].map((who) => steps[9]!.views[who]!.hand!);
    const props = at(9, null, { replay: true });
    props.view.hands = hands;
    render(FaceToFace, { props: props });
    expect([...document.querySelectorAll<HTMLElement>('.opp [data-card^="1:"]')].filter((one) => one.closest('.backs')).length).toBe(
      hands[1]!.length,
    );
    expect(document.querySelectorAll('.me .hcard').length).toBe(hands[0]!.length);
    expect(document.querySelector('.acts button')).toBeNull();
  });

  test('the end names the winner and why', () => {
    render(FaceToFace, { props: at(steps.length - 1, 0) });
    expect(said()).toContain('You won');
    expect(said()).toContain('Salvia could not lay two cards');
    expect(document.querySelector('.acts button')).toBeNull();
  });
});

describe('playing', () => {
  const start = find((step) => lays(step).length > 3 && step.views['null']!.turn!.cards === 0);

  test('a card lifted lights exactly the piles it is offered on, with what it costs', async () => {
    for (let index = 0; index < steps.length; index += 5) {
      const offers = lays(steps[index]!);
      if (!offers.length) continue;
      render(FaceToFace, { props: at(index, 0) });
      for (const number of at(index, 0).view.hand!) {
        await press(card(number));
        for (const of of [0, 1]) {
          for (const way of ['up', 'down'] as const) {
            const offer = offers.find((one) => one.card === number && one.of === of && one.pile === way);
            expect(pile(of, way).classList.contains('legal')).toBe(Boolean(offer));
            expect(pile(of, way).querySelector('.tag .full')?.textContent).toBe(offer && tag(text(), offer));
          }
        }
        if (document.querySelector('.hcard.up')) await press(card(number));
      }
      cleanup();
    }
  });

  test('tap a card, then a pile', async () => {
    const props = at(start, 0);
    const offer = lays(steps[start]!)[0]!;
    render(FaceToFace, { props: props });
    await press(card(offer.card));
    await press(pile(offer.of, offer.pile));
    expect(props.onplay).toHaveBeenCalledExactlyOnceWith(offer.word);
  });

  test('tap a pile, then a card', async () => {
    const props = at(start, 0);
    const offer = lays(steps[start]!)[0]!;
    render(FaceToFace, { props: props });
    await press(pile(offer.of, offer.pile));
    expect(card(offer.card).classList.contains('fits')).toBe(true);
    await press(card(offer.card));
    expect(props.onplay).toHaveBeenCalledExactlyOnceWith(offer.word);
  });

  test('drag a card onto a pile; the click that ends the drag is not a tap', async () => {
    const props = at(start, 0);
    const offer = lays(steps[start]!)[0]!;
    render(FaceToFace, { props: props });
    Element.prototype.setPointerCapture ??= () => undefined;
    pile(offer.of, offer.pile).getBoundingClientRect = () => new DOMRect(300, 100, 100, 140);
    const one = card(offer.card);
    await fireEvent.pointerDown(one, { button: 0, clientX: 50, clientY: 600 });
    await fireEvent.pointerMove(one, { clientX: 350, clientY: 150 });
    expect(pile(offer.of, offer.pile).classList.contains('over')).toBe(true);
    await fireEvent.pointerUp(one, { clientX: 350, clientY: 150 });
    await press(one);
    expect(props.onplay).toHaveBeenCalledExactlyOnceWith(offer.word);
    expect(document.querySelector('.hcard.up')).toBeNull();
  });

  test('by keyboard alone: arrows, Enter, Escape', async () => {
    const props = at(start, 0);
    const offer = lays(steps[start]!)[0]!;
    render(FaceToFace, { props: props });
    const first = document.querySelector<HTMLElement>('.hcard[tabindex="0"]')!;
    first.focus();
    while (document.activeElement !== card(offer.card)) await fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight' });
    await fireEvent.click(document.activeElement!, { detail: 0 }); // what Enter does
    expect(document.activeElement).toBe(pile(offer.of, offer.pile));
    await fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
    expect(document.activeElement).toBe(card(offer.card));
    await fireEvent.click(document.activeElement!, { detail: 0 });
    await fireEvent.click(document.activeElement!, { detail: 0 });
    expect(props.onplay).toHaveBeenCalledExactlyOnceWith(offer.word);
    expect(document.activeElement!.classList.contains('hcard')).toBe(true);
    await fireEvent.keyDown(document.activeElement!, { key: 'ArrowUp' });
    expect((document.activeElement as HTMLElement).dataset.pile).toMatch(/^0:/);
    await fireEvent.keyDown(document.activeElement!, { key: 'ArrowUp' });
    expect((document.activeElement as HTMLElement).dataset.pile).toMatch(/^1:/);
    expect(document.querySelectorAll('[data-pile][tabindex="0"]').length).toBe(1);
    expect(document.querySelectorAll('.hcard[tabindex="0"]').length).toBe(1);
  });

  test('nothing is sent twice while a move is on its way, and a refused card comes back', async () => {
    const props = at(start, 0);
    const offer = lays(steps[start]!)[0]!;
    const { rerender } = render(FaceToFace, { props: props });
    await press(card(offer.card));
    await press(pile(offer.of, offer.pile));
    await rerender({ ...props, waiting: true });
    expect(card(offer.card).classList.contains('sent')).toBe(true);
    const next = lays(steps[start]!).find((one) => one.card !== offer.card)!;
    await press(card(next.card));
    await press(pile(next.of, next.pile));
    expect(props.onplay).toHaveBeenCalledTimes(1);
    await rerender({ ...props, waiting: false });
    expect(card(offer.card).classList.contains('sent')).toBe(false);
  });

  test('End says what it draws and plays `end`; too soon it asks the server, which says why not', async () => {
    const may = find((step) => step.legal['0']!.some((offer) => offer.word === 'end' && offer.draws === 2));
    const props = at(may, 0, { undo: 2 });
    render(FaceToFace, { props: props });
    await press(screen.getByRole('button', { name: 'End, draw 2' }));
    expect(props.onplay).toHaveBeenCalledExactlyOnceWith('end');
    await press(screen.getByRole('button', { name: 'Undo' }));
    expect(props.onundo).toHaveBeenCalledOnce();
    cleanup();
    const early = at(start, 0);
    render(FaceToFace, { props: early });
    await press(screen.getByRole('button', { name: 'End turn' }));
    expect(early.onplay).toHaveBeenCalledWith('end');
  });

  test('in the other’s turn, and for a spectator, nothing can be sent', async () => {
    const theirs = find((step) => step.views['null']!.to_move === 1);
    const props = at(theirs, 0);
    render(FaceToFace, { props: props });
    await press(card(props.view.hand![0]!));
    expect(said()).toBe('Wait for Salvia.');
    await press(pile(0, 'up'));
    cleanup();
    const watching = at(start, null);
    render(FaceToFace, { props: watching });
    expect(screen.queryAllByRole('button')).toEqual([]);
    expect(said()).toContain('Ada is playing');
    expect(props.onplay).not.toHaveBeenCalled();
  });

  test('hints mark card, pile and chance', async () => {
    const offer = lays(steps[start]!)[1]!;
    render(FaceToFace, { props: at(start, 0, { hint: [{ word: offer.word, chance: 0.617 }] }) });
    expect(card(offer.card).querySelector('.hint')!.textContent).toContain('62 %');
    expect(pile(offer.of, offer.pile).querySelector('.hint')!.textContent).toContain('62 %');
    expect(document.querySelectorAll('.hint').length).toBe(2);
  });

  test('what the other laid in their last turn stays marked, with what was there before', async () => {
    const first = find((step) => step.events['0']!.some((event) => event.type === 'turn_began' && event.seat === 1));
    const { rerender } = render(FaceToFace, { props: at(first, 0) });
    let index = first;
    do await rerender(at(++index, 0));
    while (at(index, 0).view.to_move === 1);
    const before = at(first, 0).view.piles;
    const after = at(index, 0).view.piles;
    for (const of of [0, 1]) {
      for (const way of ['up', 'down'] as const) {
        const mark = pile(of, way).querySelector('.last')?.textContent ?? null;
        if (before[of]![way] === after[of]![way]) expect(mark).toBeNull();
        else expect(mark).toContain(`was ${before[of]![way]}`);
      }
    }
  });
});

describe('words', () => {
  test('what is not offered is tried: the server says why not', async () => {
    const index = find((step) => lays(step).length > 0 && lays(step).every((one) => one.of === 0));
    const props = at(index, 0);
    const [first] = lays(steps[index]!);
    render(FaceToFace, { props });
    await press(card(first!.card));
    await press(pile(1, 'up'));
    expect(props.onplay).toHaveBeenCalledWith(`U${first!.card}`);
  });

  test('a gift is told from a card of one’s own', () => {
    for (const [index, step] of steps.entries()) {
      for (const event of step.events['null']!) {
        if (event.type !== 'card_laid') continue;
        const { view } = at(index, null);
        expect(isGift(view.moves, event.pile as Way, event.card as number)).toBe(event.gift);
      }
    }
  });

  test.each(LOCALES)('%s: every card and pile has a name to be read', async (locale) => {
    await setLocale(locale);
    render(FaceToFace, { props: at(0, 0) });
    for (const element of document.querySelectorAll('.hcard, [data-pile]')) expect(element.querySelector('.sr')!.textContent).toMatch(/\d/);
    expect(document.body.textContent).not.toMatch(/undefined|\{/);
  });
});
