import { expect, test } from 'vitest';
import { deed, sentence } from '../../lib/describe';
import { LOCALES, setLocale } from '../../lib/i18n.svelte';
import * as testing from '../testing';

const { step, plain } = testing;
const teller = testing.teller.bind(null, 'out-of-sock');
const taken = (seat: number, card: string, deck: number, change: number) => [
  { type: 'card_taken', seat, deck, card },
  ...(change ? [{ type: 'points_changed', seat, change }] : []),
];

test('a single names deck, cards and points; so does a take', async () => {
  await setLocale('en');
  const events = [{ type: 'way_chosen', way: 'single', deck: 3 }, ...taken(1, 'red:4', 3, 4), ...taken(1, 'blue:double', 3, -2)];
  const single = step(1, ['single'], events);
  expect(plain(sentence(single, teller()))).toBe('Mirto keeps to one deck: takes red 4 and blue ×2 from deck 3 · +2');
  expect(plain(sentence(step(0, ['take:5'], taken(0, 'pink:conversion', 5, -6)), teller()))).toBe('You take pink ± from deck 5 · −6');
  expect(plain(sentence(single, { ...teller(), aloud: true }))).toBe(
    'Mirto keeps to one deck: takes red 4 and blue Double from deck 3 · +2',
  );
  await setLocale('it');
  expect(plain(sentence(single, teller()))).toBe('Mirto sceglie un solo mazzo: prende rosso 4 e blu ×2 dal mazzo 3 · +2');
  await setLocale('es');
  expect(plain(sentence(single, teller()))).toBe('Mirto elige un solo mazo: toma rojo 4 y azul ×2 del mazo 3 · +2');
});

test('dice belong to the shake before them, and a skipped turn is said', async () => {
  await setLocale('en');
  const skipped = [
    { type: 'dice_rolled', seat: 1, dice: [4] },
    { type: 'turn_skipped', seat: 1 },
  ];
  expect(plain(sentence(step(1, ['shake:2', 'roll:4'], skipped), teller()))).toBe('Mirto shakes for 2 · 1 die falls: 4, turn skipped');
  expect(plain(sentence(step(null, ['roll:2,5']), teller()))).toBe('2 dice fall: 2 5');
  expect(plain(sentence(step(1, ['roll:2,5']), teller()))).toBe('Mirto rolls 2 5');
});

test.each(LOCALES)('%s: every kind of move is a sentence, known or not', async (locale) => {
  await setLocale(locale);
  for (const word of ['shake:4', 'split', 'single', 'take:3', 'winner:1', 'roll:', 'roll:2,3'])
    for (const you of [0, 1, null])
      for (const events of [null, [], taken(0, 'red:4', 3, 4)])
        expect(deed(step(0, [word], events), teller(you))).not.toMatch(/[{}]|undefined|\w[@:]\w|^\s*$/);
});
