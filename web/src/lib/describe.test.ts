import { expect, test } from 'vitest';
import { decisions, deed, rowsOf, sentence, whoOf, type Teller, type Told } from './describe';
import { i18n, LOCALES, setLocale } from './i18n.svelte';

const step = (seat: number | null, words: string[], events: object[] | null = []): Told => ({
  seat,
  name: seat === null ? '' : ['Ada', 'Mirto'][seat]!,
  words,
  events: events as Told['events'],
});
const taken = (seat: number, card: string, deck: number, change: number) => [
  { type: 'card_taken', seat, deck, card },
  ...(change ? [{ type: 'points_changed', seat, change }] : []),
];
const teller = (you: number | null = 0, more: Partial<Teller> = {}): Teller => ({ LL: i18n.LL, names: ['Ada', 'Mirto'], you, ...more });
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('a single names deck, cards and points; so does a take', async () => {
  await setLocale('en');
  const events = [{ type: 'way_chosen', way: 'single', deck: 3 }, ...taken(1, 'red:4', 3, 4), ...taken(1, 'blue:double', 3, -2)];
  const single = step(1, ['single'], events);
  expect(plain(sentence(single, teller()))).toBe('Mirto goes single: takes red 4 and blue ×2 from deck 3 · +2');
  expect(plain(sentence(step(0, ['take:5'], taken(0, 'pink:conversion', 5, -6)), teller()))).toBe('You take pink ± from deck 5 · −6');
  await setLocale('it');
  expect(plain(sentence(single, teller()))).toBe('Mirto fa single: prende rosso 4 e blu ×2 dal mazzo 3 · +2');
  await setLocale('es');
  expect(plain(sentence(single, teller()))).toBe('Mirto hace single: toma rojo 4 y azul ×2 del mazo 3 · +2');
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

test('gifts say to whom, a turn’s end what was drawn, a closed row its colour', async () => {
  await setLocale('en');
  expect(sentence(step(1, ['D55']), teller())).toBe('Mirto gives 55 to you, on the pile going down');
  expect(sentence(step(0, ['U9']), teller())).toBe('You give 9 to Mirto, on the pile going up');
  const drawn = (cards?: number[]) => [{ type: 'cards_drawn', seat: 0, count: 2, ...(cards ? { cards } : {}) }];
  expect(plain(sentence(step(0, ['end'], drawn([33, 47])), teller()))).toBe('You end your turn · +2 cards (33, 47)');
  expect(plain(sentence(step(0, ['end'], drawn()), teller(1)))).toBe('Ada ends the turn · +2 cards');
  const told = [step(0, ['green@b0']), step(1, ['red@b0']), step(0, ['black@r1'])];
  expect(sentence(told[2]!, teller(0, { rows: rowsOf(told) }))).toBe('You close the red row with black');
  expect(sentence(step(0, ['draw'], [{ type: 'token_drawn', seat: 0, colour: 'violet' }]), teller())).toBe('You draw a token: violet');
});

test('whoever made a move keeps the name; the seats of one device keep their numbers', async () => {
  await setLocale('en');
  const left = { ...step(1, ['draw']), name: 'Ben' };
  expect(whoOf(left, teller(0))).toBe('Ben');
  expect(whoOf(step(1, ['draw']), teller(0))).toBe('Mirto');
  const device = teller(null, { names: ['Ada 1', 'Ada 2'], seated: ['Ada', 'Ada'] });
  expect(whoOf({ ...step(1, ['draw']), name: 'Ada' }, device)).toBe('Ada 2');
});

test('words and movers make decisions', () => {
  const found = decisions(['roll:2', 'shake:4', 'roll:3', 'split'], [null, 1, null, 1], (seat) => (seat === null ? '' : 'Mirto'));
  expect(found.map((one) => [one.seat, one.words])).toEqual([
    [null, ['roll:2']],
    [1, ['shake:4', 'roll:3']],
    [1, ['split']],
  ]);
});

test.each(LOCALES)('%s: every kind of move is a sentence, known or not', async (locale) => {
  await setLocale(locale);
  const words = [
    'u4',
    'd5',
    'U6',
    'D7',
    'end',
    'draw',
    'keep',
    'pass',
    'red@b0',
    'red@r0',
    'black@r0',
    'shake:4',
    'split',
    'single',
    'take:3',
    'winner:1',
    'roll:',
    'roll:2,3',
  ];
  for (const word of words)
    for (const you of [0, 1, null])
      for (const events of [null, [], taken(0, 'red:4', 3, 4)]) {
        const said = deed(step(0, [word], events), teller(you));
        expect(said).not.toMatch(/[{}]|undefined|\w[@:]\w|^\s*$/);
      }
});
