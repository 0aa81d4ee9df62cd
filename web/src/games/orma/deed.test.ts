import { expect, test } from 'vitest';
import { deed, sentence } from '../../lib/describe';
import { LOCALES, setLocale } from '../../lib/i18n.svelte';
import * as testing from '../testing';

const { step } = testing;
const teller = testing.teller.bind(null, 'orma');

test('a closed row has its colour, a draw what was drawn', async () => {
  await setLocale('en');
  const told = [step(0, ['green@b0']), step(1, ['red@b0']), step(0, ['black@r1'])];
  expect(sentence(told[2]!, teller(0, { moves: told.flatMap((one) => one.words) }))).toBe('You close the red row with black');
  expect(sentence(step(0, ['draw'], [{ type: 'token_drawn', seat: 0, colour: 'violet' }]), teller())).toBe('You draw a token: violet');
});

test.each(LOCALES)('%s: every kind of move is a sentence, known or not', async (locale) => {
  await setLocale(locale);
  for (const word of ['draw', 'keep', 'pass', 'red@b0', 'red@r0', 'black@r0'])
    for (const you of [0, 1, null])
      for (const events of [null, [], [{ type: 'points_scored', seat: 0, points: 3 }]])
        expect(deed(step(0, [word], events), teller(you))).not.toMatch(/[{}]|undefined|\w[@:]\w|^\s*$/);
});
