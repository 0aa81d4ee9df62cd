import { get, writable } from 'svelte/store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TableState } from './connection';
import { Director } from './director';

const table = { id: 't', playing: 0 };
const at = (tick: number, more: object = {}): TableState =>
  ({
    table,
    seat: 0,
    curtain: null,
    link: 'open',
    events: [{ type: 'e' }],
    tick,
    number: tick,
    hint: null,
    told: [],
    waiting: false,
    ...more,
  }) as never;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('moves that arrive together are shown one after the other, each for its time', () => {
  const source = writable(at(1));
  const stage = new Director(source, () => 500);
  source.set(at(2));
  source.set(at(3));
  expect(get(stage).tick).toBe(1);
  vi.advanceTimersByTime(500);
  expect(get(stage).tick).toBe(2);
  vi.advanceTimersByTime(499);
  expect(get(stage).tick).toBe(2);
  vi.advanceTimersByTime(1);
  expect(get(stage).tick).toBe(3);
  stage.close();
});

test('what comes after a rest is shown at once', () => {
  const source = writable(at(1));
  const stage = new Director(source, () => 500);
  vi.advanceTimersByTime(500);
  source.set(at(2));
  expect(get(stage).tick).toBe(2);
  stage.close();
});

test('a refusal, a lost connection and a waiting move are shown at once, a hint only with its position', () => {
  const source = writable(at(1));
  const stage = new Director(source, () => 500);
  source.set(at(2));
  source.set(at(2, { link: 'lost', waiting: true, hint: [] }));
  expect(get(stage)).toMatchObject({ tick: 1, link: 'lost', waiting: true, hint: null });
  stage.close();
});

test('a move of one’s own answers the hand at once', () => {
  const source = writable(at(1));
  const stage = new Director(source, () => 500);
  source.set(at(2, { told: [{ seat: 0 }] }));
  expect(get(stage).tick).toBe(2);
  source.set(at(3, { told: [{ seat: 0 }, { seat: 1 }] }));
  expect(get(stage).tick).toBe(2);
  stage.close();
});

test('another game, or other eyes, does not wait', () => {
  const source = writable(at(1));
  const stage = new Director(source, () => 500);
  source.set(at(2));
  source.set(at(3, { seat: 1 }));
  expect(get(stage).tick).toBe(3);
  stage.close();
});
