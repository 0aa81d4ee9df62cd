import { expect, test } from 'vitest';
import { deed, sentence } from '../../lib/describe';
import { LOCALES, setLocale } from '../../lib/i18n.svelte';
import * as testing from '../testing';

const { step, plain } = testing;
const teller = testing.teller.bind(null, 'face-to-face');

test('gifts say to whom, a turn’s end what was drawn', async () => {
  await setLocale('en');
  expect(sentence(step(1, ['D55']), teller())).toBe('Mirto gives 55 to you, on the pile going down');
  expect(sentence(step(0, ['U9']), teller())).toBe('You give 9 to Mirto, on the pile going up');
  const drawn = (cards?: number[]) => [{ type: 'cards_drawn', seat: 0, count: 2, ...(cards ? { cards } : {}) }];
  expect(plain(sentence(step(0, ['end'], drawn([33, 47])), teller()))).toBe('You end your turn · +2 cards (33, 47)');
  expect(plain(sentence(step(0, ['end'], drawn()), teller(1)))).toBe('Ada ends the turn · +2 cards');
});

test.each(LOCALES)('%s: every kind of move is a sentence, known or not', async (locale) => {
  await setLocale(locale);
  for (const word of ['u4', 'd5', 'U6', 'D7', 'end'])
    for (const you of [0, 1, null])
      for (const events of [null, [], [{ type: 'cards_drawn', count: 2 }]])
        expect(deed(step(0, [word], events), teller(you))).not.toMatch(/[{}]|undefined|\w[@:]\w|^\s*$/);
});
