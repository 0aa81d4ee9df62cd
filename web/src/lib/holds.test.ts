import { afterEach, expect, test, vi } from 'vitest';
import { habitOf, plantOf, reaction, tempoOf } from './bots';
import type { TableState } from './connection';
import { holds } from './holds';
import { setLocale } from './i18n.svelte';
import { CHARACTERS } from './messages';
import { textOf } from './texts.svelte';

const BOTS = CHARACTERS.map((one) => one.name);
const after = (name: string, seat: number): number => {
  const seats = Array.from({ length: seat + 1 }, () => ({ kind: 'bot', name }));
  return holds({ table: { game: 'unknown', seats }, events: [{ type: 'e' }], told: [{ seat }] } as never as TableState);
};

test('a bot has its tempo, its face and its reactions by its name, in any seat', () => {
  for (const { name, tempo } of CHARACTERS) {
    expect(after(name, 0) / after('Somebody', 0)).toBeCloseTo(tempo);
    expect(after(name, 3)).toBe(after(name, 0));
    expect(tempoOf(`${name} 2`)).toBe(tempoOf(name));
    expect(plantOf(`${name} 2`, 1)).toBe(plantOf(name, 4));
    expect(reaction(`${name} 2`, 'glad')).toBe(reaction(name, 'glad'));
  }
  expect(new Set(BOTS.map((name) => after(name, 0))).size).toBe(BOTS.length);
  expect(new Set(BOTS.map((name) => plantOf(name, 0))).size).toBe(BOTS.length);
});

afterEach(() => vi.unstubAllGlobals());

test('a game says what a bot likes that has a style there, and of the others nothing', async () => {
  const words = { 'style.patient': 'likes to wait' };
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify({ title: 'Any', words, own: [] }))));
  await setLocale('en');
  await vi.waitFor(() => expect(textOf('any')).not.toBeNull());
  for (const { name, style } of CHARACTERS) {
    const said = style === 'patient' ? 'likes to wait' : '';
    const habit = (name: string, level: string | null): string => habitOf({ name, level }, 'any');
    expect([habit(name, 'hard'), habit(`${name} 2`, 'medium')]).toEqual([said, said]);
    expect([habit(name, 'Mine'), habit(name, null), habit(name, 'easy')]).toEqual(['', '', '']); // one of the server's own, a person, one who asks no network
  }
  expect(CHARACTERS.filter(({ style }) => style === 'patient')).toHaveLength(1);
});
