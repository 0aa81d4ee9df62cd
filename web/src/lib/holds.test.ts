import { expect, test } from 'vitest';
import { plantOf, reaction, tempoOf } from './bots';
import type { TableState } from './connection';
import { holds } from './holds';

const BOTS = ['Nespola', 'Mirto', 'Salvia', 'Ginepro', 'Malva'];
const after = (name: string, seat: number): number => {
  const seats = Array.from({ length: seat + 1 }, () => ({ kind: 'bot', name }));
  return holds({ table: { game: 'unknown', seats }, events: [{ type: 'e' }], told: [{ seat }] } as never as TableState);
};

test('a bot has its tempo, its face and its reactions by its name, in any seat', () => {
  for (const name of BOTS) {
    expect(after(name, 3)).toBe(after(name, 0));
    expect(tempoOf(`${name} 2`)).toBe(tempoOf(name));
    expect(plantOf(`${name} 2`, 1)).toBe(plantOf(name, 4));
    expect(reaction(`${name} 2`, 'glad')).toBe(reaction(name, 'glad'));
  }
  expect(new Set(BOTS.map((name) => after(name, 0))).size).toBe(BOTS.length);
  expect(new Set(BOTS.map((name) => plantOf(name, 0))).size).toBe(BOTS.length);
});
