import { expect, test } from 'vitest';
import { i18n, LOCALES, setLocale } from './i18n.svelte';
import { CODES, REASONS } from './messages';
import { clausesOf, refusal } from './refusal';

const values = { word: 'u17', clauses: 'F2.1, F2.2', tables: 50, seconds: 7, people: 3 };

test.each(LOCALES)('%s: every code and reason of the server is a sentence', async (locale) => {
  await setLocale(locale);
  for (const code of [...CODES, 'offline']) expect(refusal({ code, values }, i18n.LL), code).toMatch(/^\S.{8,}[.!?]$/);
  for (const reason of REASONS) expect(refusal({ code: 'not_now', reason, values }, i18n.LL), reason).toMatch(/^\S[^{}]{8,}\.$/);
});

test('what a newer server says is still said in the reader’s language', async () => {
  await setLocale('it');
  expect(refusal({ code: 'quite_new' }, i18n.LL)).toBe('Qualcosa è andato storto. Niente è cambiato; riprova.');
  expect(refusal({ code: 'not_now', reason: 'quite_new' }, i18n.LL)).toBe('In questo momento non si può.');
});

test('a rule is named, and its first clause can be read', async () => {
  await setLocale('es');
  expect(refusal({ code: 'illegal', reason: 'rule', values }, i18n.LL)).toBe('Las reglas no permiten «u17» ahora (regla F2.1, F2.2).');
  expect(clausesOf({ code: 'illegal', reason: 'rule', values })).toEqual(['F2.1', 'F2.2']);
  expect(clausesOf({ code: 'illegal' })).toEqual([]);
});

test('a game says in its own words what its rules refuse', async () => {
  await setLocale('en');
  const words = { 'refused.too_low': '{seat} bids {n} {n:die|dice}, which is below {bid}', 'value.x5': 'five' };
  const refused = { code: 'illegal', reason: 'rule', values: { ...values, why: 'too_low', values: { seat: 1, n: 1, bid: 'x5' } } };
  expect(refusal(refused, i18n.LL, words, ['Ada', 'Ben'])).toBe('Ben bids 1 die, which is below five.');
  expect(refusal(refused, i18n.LL)).toContain('F2.1, F2.2');
});
