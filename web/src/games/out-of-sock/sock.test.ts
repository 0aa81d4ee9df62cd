import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import played from '../../../dev/out-of-sock/fixture.json';
import type { BoardProps, GameEvent, Offer } from '../../lib/board';
import { LOCALES, setLocale } from '../../lib/i18n.svelte';
import { change, figure } from './art';
import { tell } from './news';
import OutOfSock from './OutOfSock.svelte';
import { text } from './text';
import { PLACES, SUITS, type SockEvent, type SockView, type TakeOffer } from './types';
import { readCard, sayCard } from './words';

interface Step {
  word: string | null;
  words: string[];
  events: GameEvent[];
  view: SockView;
  legal: Offer[];
}
interface Table {
  names: string[];
  common: Partial<SockView>;
  steps: Step[];
}
const tables = played.tables as unknown as Record<string, Table>;

function at(name: string, index: number, seat: number | null | 'mover', more: Partial<BoardProps<SockView>> = {}): BoardProps<SockView> {
  const table = tables[name]!;
  const step = table.steps[index]!;
  const eyes = seat === 'mover' ? step.view.to_move : seat;
  return {
    view: { ...table.common, ...step.view, moves: table.steps.slice(0, index + 1).flatMap((one) => one.words) } as SockView,
    seat: eyes,
    legal: eyes !== null && eyes === step.view.to_move ? step.legal : [],
    names: table.names,
    events: step.events,
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

const find = (name: string, check: (step: Step) => boolean): number => tables[name]!.steps.findIndex(check);
const deck = (place: number): HTMLElement => document.querySelector<HTMLElement>(`[data-deck="${place}"]`)!;
const dice = (place: number): number => deck(place).querySelectorAll('[data-die]').length;
const column = (seat: number, suit: string): string[] =>
  [...document.querySelectorAll<HTMLElement>(`[data-land="${seat}:${suit}"] [data-card]`)].flatMap((card) =>
    Array<string>(Number(card.dataset['n'])).fill(card.dataset['card']!),
  );
const isTake = (offer: Offer): offer is TakeOffer => offer.word.startsWith('take:');

beforeEach(() => setLocale('en'));
afterEach(cleanup);

describe('what the view says is what the table shows', () => {
  test.each([
    ['2', 0],
    ['3', 1],
    ['3', null],
    ['4', 2],
  ] as const)('all along a game of %s, from seat %s', async (name, seat) => {
    const { rerender } = render(OutOfSock, { props: at(name, 0, seat) });
    const { steps } = tables[name]!;
    for (let index = 0; index < steps.length; index += 9) {
      const props = at(name, index, seat);
      await rerender(props);
      for (const place of PLACES) {
        const { left, dice: lying, top } = props.view.decks[place]!;
        expect(dice(place)).toBe(lying);
        expect(deck(place).getAttribute('aria-label')).toContain(top ? sayCard(text(), top) : 'empty');
        if (left) expect(deck(place).querySelector<HTMLElement>('.left')!.dataset['figure']).toBe(String(left));
      }
      for (let who = 0; who < props.view.seats; who++) {
        for (const suit of SUITS) expect(column(who, suit).sort()).toEqual([...props.view.columns[who]![suit]].sort());
      }
    }
  });

  test('a deck speaks: place, card, cards left, dice, what a take gives', () => {
    const index = find('3', (step) =>
      step.legal.some((offer) => isTake(offer) && offer.points > 0 && step.view.decks[offer.deck]!.dice === 2),
    );
    const props = at('3', index, 'mover');
    render(OutOfSock, { props });
    const offer = props.legal.find((one) => isTake(one) && one.points > 0 && props.view.decks[one.deck]!.dice === 2) as TakeOffer;
    const { left } = props.view.decks[offer.deck]!;
    expect(deck(offer.deck).getAttribute('aria-label')).toBe(
      `Deck ${offer.deck}, ${sayCard(text(), offer.card)}, ${left} left, 2 dice, take gives ${change(offer.points)}`,
    );
  });

  test('columns speak, banned and negative ones too', () => {
    render(OutOfSock, { props: at('3', tables['3']!.steps.length - 1, 1) });
    const mine = screen.getByRole('region', { name: 'Your cards' });
    const { view } = at('3', tables['3']!.steps.length - 1, 1);
    for (const suit of SUITS) expect(within(mine).getByText(new RegExp(`^${suit}: .*`))).toBeTruthy();
    expect(within(mine).getByText(`${figure(view.scores[1]!)} points`)).toBeTruthy();
  });
});

describe('playing', () => {
  test('shake: aim with the arrows, the chances follow, Enter shakes', async () => {
    const props = at('3', 0, 'mover');
    render(OutOfSock, { props });
    const five = screen.getByRole('radio', { name: '5' });
    expect(five.getAttribute('aria-checked')).toBe('true');
    expect(screen.getByRole('img', { name: /How many fall: 0 dice: 0 in 100.*5 dice: 28 in 100/ })).toBeTruthy();
    await fireEvent.keyDown(five, { key: 'ArrowLeft' });
    const four = screen.getByRole('radio', { name: '4' });
    expect(four.getAttribute('aria-checked')).toBe('true');
    expect(screen.getByRole('img', { name: /4 dice: 27 in 100/ })).toBeTruthy();
    await fireEvent.keyDown(four, { key: '7' });
    await fireEvent.keyDown(screen.getByRole('radio', { name: '7' }), { key: 'Enter' });
    expect(props.onplay).toHaveBeenCalledExactlyOnceWith('shake:7');
  });

  test('shake by button; not again while the move is on its way', async () => {
    const props = at('3', 0, 'mover');
    const { rerender } = render(OutOfSock, { props });
    await fireEvent.click(screen.getByRole('button', { name: 'Shake' }));
    expect(props.onplay).toHaveBeenCalledExactlyOnceWith('shake:5');
    await rerender({ ...props, waiting: true });
    await fireEvent.click(screen.getByRole('button', { name: 'Shaking' }));
    expect(props.onplay).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['a hard flick', 10, 'shake:7'],
    ['a soft flick', 120, 'shake:2'],
    ['no flick', 4000, null],
  ])('%s', async (_, lasts, word) => {
    const props = at('3', 0, 'mover');
    render(OutOfSock, { props });
    const basket = document.querySelector('[data-basket]')!;
    const pointer = (type: string, x: number, time: number): void => {
      const event = new MouseEvent(type, { bubbles: true, clientX: x, clientY: 100 });
      Object.defineProperty(event, 'timeStamp', { value: time });
      Object.defineProperty(event, 'pointerId', { value: 1 });
      basket.dispatchEvent(event);
    };
    pointer('pointerdown', 100, 1000);
    pointer('pointermove', 120, 1000 + lasts / 2);
    pointer('pointerup', 140, 1000 + lasts);
    if (word) expect(props.onplay).toHaveBeenCalledExactlyOnceWith(word);
    else expect(props.onplay).not.toHaveBeenCalled();
  });

  test('split or single: what each gives', async () => {
    const index = find('3', (step) => step.legal.length === 2 && step.view.phase === 'choose');
    const props = at('3', index, 'mover');
    render(OutOfSock, { props });
    const split = screen.getByRole('button', { name: /^Split/ });
    const single = screen.getByRole('button', { name: /^One deck/ });
    const [splitOffer, singleOffer] = props.legal as [Offer & { cards: Record<string, number> }, Offer & { deck: number }];
    expect(split.textContent).toContain(`You ${splitOffer.cards[String(props.seat)]}`);
    expect(split.querySelectorAll('.d')).toHaveLength(props.view.dice_fallen);
    expect(single.textContent).toContain(`Deck ${singleOffer.deck}, top 2`);
    await fireEvent.click(single);
    expect(props.onplay).toHaveBeenCalledExactlyOnceWith('single');
  });

  test('take: decks without an offer are tried, so that the server says why not; arrows walk the line', async () => {
    const index = find('3', (step) => step.legal.length > 1 && step.legal.every(isTake));
    const props = at('3', index, 'mover');
    render(OutOfSock, { props });
    const legal = new Map(props.legal.filter(isTake).map((offer) => [offer.deck, offer]));
    for (const place of PLACES) {
      expect(deck(place).getAttribute('aria-disabled')).toBe(String(!legal.has(place)));
      expect(deck(place).querySelector<HTMLElement>('.gain')?.dataset['figure'] ?? null).toBe(
        legal.has(place) ? change(legal.get(place)!.points) : null,
      );
      if (!legal.has(place)) {
        await fireEvent.click(deck(place));
        expect(props.onplay).toHaveBeenLastCalledWith(`take:${place}`);
      }
    }
    const first = PLACES.find((place) => legal.has(place))!;
    expect(deck(first).tabIndex).toBe(0);
    deck(first).focus();
    await fireEvent.keyDown(deck(first), { key: 'End' });
    expect(document.activeElement).toBe(deck(7));
    await fireEvent.keyDown(deck(7), { key: String(first) });
    expect(document.activeElement).toBe(deck(first));
    await fireEvent.click(deck(first));
    expect(props.onplay).toHaveBeenLastCalledWith(`take:${first}`);
  });

  test('real dice are typed in, sorted, at most as many as there are', async () => {
    const props = at('typed', 0, 'mover');
    render(OutOfSock, { props });
    const add = (face: number) => fireEvent.click(screen.getByRole('button', { name: `Add a ${face}` }));
    for (const face of [7, 3, 5, 3]) await add(face);
    await fireEvent.click(screen.getByRole('button', { name: 'Take the 5 back' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Place 3 dice' }));
    expect(props.onplay).toHaveBeenCalledExactlyOnceWith('roll:3,3,7');
    for (let i = 0; i < 9; i++) await add(2);
    await fireEvent.click(screen.getByRole('button', { name: 'Place 8 dice' }));
    expect(props.onplay).toHaveBeenLastCalledWith('roll:2,2,2,2,2,3,3,7');
  });

  test('no die fell out of the real basket', async () => {
    const props = at('typed', 0, 'mover');
    render(OutOfSock, { props });
    await fireEvent.click(screen.getByRole('button', { name: 'None fell' }));
    expect(props.onplay).toHaveBeenCalledExactlyOnceWith('roll:');
  });

  test('a tie: the basket holder names the winner', async () => {
    const index = find('tie', (step) => step.view.phase === 'name');
    const props = at('tie', index, 'mover');
    render(OutOfSock, { props });
    await fireEvent.click(screen.getByRole('button', { name: `Name ${props.names[props.view.tied[1]!]}` }));
    expect(props.onplay).toHaveBeenCalledExactlyOnceWith(`winner:${props.view.tied[1]}`);
  });

  test('take back, when it is offered', async () => {
    const props = at('3', 3, 0, { undo: 1 });
    render(OutOfSock, { props });
    await fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(props.onundo).toHaveBeenCalledOnce();
  });
});

describe('who looks on', () => {
  const index = find('3', (step) => step.legal.length > 1 && step.legal.every(isTake));

  test.each([
    ['a spectator', null, {}],
    ['a replay', 'mover', { replay: true }],
  ] as const)('%s can play nothing', async (_, seat, more) => {
    const props = at('3', index, seat, more);
    render(OutOfSock, { props });
    for (const place of PLACES) await fireEvent.click(deck(place));
    expect(props.onplay).not.toHaveBeenCalled();
    expect(document.querySelectorAll('.legal')).toHaveLength(0);
  });

  test('a spectator sees every seat by name', () => {
    const props = at('3', index, null);
    render(OutOfSock, { props });
    expect(screen.getByRole('region', { name: 'Cards of Ada' })).toBeTruthy();
    for (const name of ['Nespola', 'Mirto']) expect(screen.getByRole('article', { name })).toBeTruthy();
  });

  test('hints are marked with their chance, on the thing itself', () => {
    const offer = tables['3']!.steps[index]!.legal[1] as TakeOffer;
    render(OutOfSock, { props: at('3', index, 'mover', { hint: [{ word: offer.word, chance: 0.617 }] }) });
    expect(deck(offer.deck).getAttribute('aria-label')).toContain('hint: 62 in 100');
    expect(deck(offer.deck).querySelector<HTMLElement>('.tip [data-figure]')!.dataset['figure']).toContain('62');
  });

  test('the last move stays marked, where it came from and where it went', async () => {
    const taken = find('3', (step) => step.word?.startsWith('take:') ?? false);
    const { rerender } = render(OutOfSock, { props: at('3', taken - 1, 0) });
    await rerender(at('3', taken, 0));
    const event = tables['3']!.steps[taken]!.events.find((one) => one.type === 'card_taken')!;
    await vi.waitFor(() => expect(deck(Number(event['deck'])).classList).toContain('last'));
    expect(document.querySelector('.fresh')?.getAttribute('data-card')).toBe(event['card']);
  });

  test('whose turn it is, and what the last one did, in words', async () => {
    const { rerender } = render(OutOfSock, { props: at('3', 0, 1) });
    expect(document.querySelector('[data-turn]')!.textContent).toContain('Ada shakes the basket');
    await rerender(at('3', 1, 1));
    expect(document.querySelector('[data-turn]')!.textContent).toContain('Ada: split, or one deck?');
    await vi.waitFor(() => expect(document.querySelector('.news')!.textContent).toMatch(/^Ada aims for 5\. \d dice fell\.$/));
  });
});

describe('words', () => {
  test('cards are read', () => {
    expect(readCard('red:conversion')).toEqual({ suit: 'red', socks: 0, special: 'conversion' });
    expect(readCard('blue:8')).toEqual({ suit: 'blue', socks: 8, special: null });
    expect([change(8), change(0), change(-4), figure(-36)]).toEqual(['+8', '0', '−4', '−36']);
  });

  test.each(LOCALES)('every step of every game can be told in %s', async (locale) => {
    await setLocale(locale);
    for (const { steps, names } of Object.values(tables)) {
      for (const { events } of steps) {
        const said = tell(text(), events as unknown as SockEvent[], null, (seat) => names[seat]!);
        expect(said).not.toMatch(/undefined|[{}]/);
        if (events.some((event) => event.type !== 'turn_began' && event.type !== 'game_over')) expect(said).not.toBe('');
      }
    }
  });
});
