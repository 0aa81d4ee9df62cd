// @vitest-environment node
import { expect, test } from 'vitest';

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

const files = {
  ...import.meta.glob<Texts>('./??.ts', { eager: true, import: 'default' }),
  ...import.meta.glob<Texts>('../games/*/text/??.ts', { eager: true, import: 'default' }),
};
const others = Object.keys(files).filter((path) => !path.endsWith('/en.ts'));

test('there are other languages', () => expect(others.length).toBeGreaterThan(2));

test.each(others)('%s says everything English says, with the same placeholders', (path) => {
  const base = flat(files[path.replace(/..\.ts$/, 'en.ts')]!);
  const texts = flat(files[path]!);
  expect([...texts.keys()].sort()).toEqual([...base.keys()].sort());
  for (const [key, text] of base) {
    expect({ key, needs: needs(texts.get(key)!) }).toEqual({ key, needs: needs(text) });
    expect(texts.get(key)!.trim(), key).not.toBe('');
  }
});

const sources = import.meta.glob<string>('../**/*.{ts,svelte}', { eager: true, query: '?raw', import: 'default' });

/** Whether a text is asked for by its name and its group's, or its group by a name that is worked out. */
function used(key: string, source: string): boolean {
  const [leaf = '', group] = key.split('.').reverse();
  const found = (pattern: string): boolean => new RegExp(pattern).test(source);
  if (group === undefined) return found(`\\b(?:LL|t|words|text\\(\\))\\.${leaf}\\b|\\{ [^{}]*\\b${leaf}\\b[^{}]*\\} = `);
  const called = [
    `(\\w+) = (?:\\$derived\\()?[\\w.()]*\\.${group}\\b\\)?;`,
    `\\b${group}: (\\w+)[,\\s][^;]*\\} = `,
    `(\\w+): Text\\['${group}'\\]`,
  ];
  const aliases = called.flatMap((pattern) => [...source.matchAll(new RegExp(pattern, 'g'))].map((one) => one[1]!));
  return [group, ...aliases].some((name) =>
    found(`\\b${name}\\.${leaf}\\b|\\b${name}(?:\\[| : [\\w.]+\\)\\[|\\)\\[)|\\{ [^{}]*\\b${leaf}\\b[^{}]*\\} = [^;]*\\b${name}\\b`),
  );
}

test.each(Object.keys(files).filter((path) => path.endsWith('/en.ts')))('%s: every text is used', (path) => {
  const folder = path === './en.ts' ? '../' : path.replace(/text\/en\.ts$/, '');
  const source = Object.entries(sources)
    .filter(
      ([one]) =>
        one.startsWith(folder) &&
        !/\/text\/|\.test\.ts$/.test(one) &&
        !(folder === '../' && /^\.\.\/games\/[^/]+\//.test(one) && !one.includes('/testing')),
    )
    .map(([, text]) => text)
    .join('\n');
  expect([...flat(files[path]!).keys()].filter((key) => !used(key, source))).toEqual([]);
});

test('one word for one thing, in the page and in every game', () => {
  const other: Record<string, RegExp> = { it: /\bconsigli/i, es: /\bcesta\b|consejo|desterr|destierro|\bpila\b/i };
  for (const [path, text] of Object.entries(files)) {
    const words = other[/(\w+)\.ts$/.exec(path)![1]!];
    if (words)
      expect(
        [...flat(text)].filter(([, said]) => words.test(said)),
        path,
      ).toEqual([]);
  }
});
