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

/** All that asks for texts in a source, found in one pass each: to look for every text anew takes seconds. */
function asked(source: string) {
  const all = (pattern: RegExp): string[][] => [...source.matchAll(pattern)].map((one) => one.slice(1));
  const taken = all(/\{ ([^{}]*)\} = (?=([^;]*))/g).map(([names = '', from = '']) => ({
    names: new Set(names.match(/\w+/g)),
    from: new Set(from.match(/\w+/g)),
  }));
  const aliases = [
    ...all(/(\w+) = (?:\$derived\()?[\w.()]*\.(\w+)\)?;/g),
    ...all(/\b(\w+): (\w+)[,\s](?=[^;]*\} = )/g).map(([group = '', name = '']) => [name, group]),
    ...all(/(\w+): Text\['(\w+)'\]/g),
  ];
  return {
    aliases: (group: string): string[] => aliases.filter((one) => one[1] === group).map((one) => one[0]!),
    named: new Set(all(/\b(\w+(?:\(\))?)(?=\.(\w+))/g).map((one) => one.join('.'))),
    workedOut: new Set(all(/\b(\w+)(?=\[| : [\w.]+\)\[|\)\[)/g).map((one) => one[0]!)),
    takes: (leaf: string, from?: string): boolean => taken.some((one) => one.names.has(leaf) && (from === undefined || one.from.has(from))),
  };
}

/** Whether a text is asked for by its name and its group's, or its group by a name that is worked out. */
function used(key: string, { aliases, named, workedOut, takes }: ReturnType<typeof asked>): boolean {
  const [leaf = '', group] = key.split('.').reverse();
  if (group === undefined) return takes(leaf) || ['LL', 't', 'words', 'text()'].some((name) => named.has(`${name}.${leaf}`));
  return [group, ...aliases(group)].some((name) => named.has(`${name}.${leaf}`) || workedOut.has(name) || takes(leaf, name));
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
  const found = asked(source);
  expect([...flat(files[path]!).keys()].filter((key) => !used(key, found))).toEqual([]);
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
