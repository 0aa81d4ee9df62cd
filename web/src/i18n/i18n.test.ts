// @vitest-environment node
import { expect, test } from 'vitest';
import en from './en';
import es from './es';
import it_ from './it';

type Texts = { [key: string]: string | Texts };

function flat(texts: Texts, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') found.set(path + key, value);
    else for (const [inner, text] of flat(value, `${path}${key}.`)) found.set(inner, text);
  }
  return found;
}

function needs(text: string): string[] {
  const plural = [...text.matchAll(/\{\{(\w+):[^}]*\}\}/g)].map((m) => m[1]!);
  const single = [...text.replace(/\{\{[^}]*\}\}/g, '').matchAll(/\{(\w+)[^}]*\}/g)].map((m) => m[1]!);
  return [...new Set([...plural, ...single])].sort();
}

test.each([
  ['it', it_],
  ['es', es],
])('%s says everything English says, with the same placeholders', (_, other) => {
  const base = flat(en as unknown as Texts);
  const texts = flat(other as unknown as Texts);
  expect([...texts.keys()].sort()).toEqual([...base.keys()].sort());
  for (const [key, text] of base) {
    expect({ key, needs: needs(texts.get(key)!) }).toEqual({ key, needs: needs(text) });
    expect(texts.get(key)!.trim(), key).not.toBe('');
  }
});
