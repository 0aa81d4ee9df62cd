/** Our own rule texts as a small tree: headings, paragraphs, lists, tables, bold and code. No HTML goes through. */
export type Span = { kind: 'text' | 'strong' | 'em' | 'code' | 'clause'; text: string };
export type Block =
  | { kind: 'heading'; level: number; spans: Span[] }
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'list'; ordered: boolean; items: Span[][] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }
  | { kind: 'code'; text: string };

const CLAUSE = /[A-Z]+\d+\.\d+/g;

/** Split a line into spans. Clause numbers, (X2.1) behind a sentence or **X2.1** before it, are spans of their own: to be found, not read. */
export function spans(line: string): Span[] {
  const found: Span[] = [];
  for (const part of line.split(/(\*\*.+?\*\*|`.+?`|\*.+?\*| \((?:[A-Z]+\d+\.\d+(?:, | and | e | y |; )?)+\))/g)) {
    if (part === '') continue;
    if (/^( \(|\*\*)[A-Z]+\d+\.\d+/.test(part)) found.push({ kind: 'clause', text: part.match(CLAUSE)!.join(' ') });
    else if (part.startsWith('**') && part.length > 4) found.push({ kind: 'strong', text: part.slice(2, -2) });
    else if (part.startsWith('`') && part.length > 2) found.push({ kind: 'code', text: part.slice(1, -1) });
    else if (part.startsWith('*') && part.endsWith('*') && part.length > 2) found.push({ kind: 'em', text: part.slice(1, -1) });
    else found.push({ kind: 'text', text: part.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1') });
  }
  return found;
}

const cells = (line: string): Span[][] =>
  line.trim().replace(/^\||\|$/g, '').split('|').map((cell) => spans(cell.trim())); // prettier-ignore

export function parse(source: string): Block[] {
  const lines = source.split('\n');
  const blocks: Block[] = [];
  let at = 0;
  const more = () => at < lines.length;
  while (more()) {
    const line = lines[at]!;
    const heading = /^(#{1,4}) (.*)$/.exec(line);
    const item = /^(\s*)([-*]|\d+\.) (.*)$/.exec(line);
    if (line.trim() === '') at++;
    else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]!.length, spans: spans(heading[2]!) });
      at++;
    } else if (line.startsWith('```')) {
      const text: string[] = [];
      for (at++; more() && !lines[at]!.startsWith('```'); at++) text.push(lines[at]!);
      at++;
      blocks.push({ kind: 'code', text: text.join('\n') });
    } else if (line.startsWith('|')) {
      const rows: Span[][][] = [];
      const head = cells(line);
      for (at += 2; more() && lines[at]!.startsWith('|'); at++) rows.push(cells(lines[at]!));
      blocks.push({ kind: 'table', head, rows });
    } else if (item) {
      const items: string[] = [];
      for (; more() && lines[at]!.trim() !== ''; at++) {
        const next = /^\s*(?:[-*]|\d+\.) (.*)$/.exec(lines[at]!);
        if (next) items.push(next[1]!);
        else items[items.length - 1] += ` ${lines[at]!.trim()}`;
      }
      blocks.push({ kind: 'list', ordered: /\d/.test(item[2]!), items: items.map(spans) });
    } else {
      const text: string[] = [];
      for (; more() && lines[at]!.trim() !== '' && !/^(#|\||```|[-*] )/.test(lines[at]!); at++) text.push(lines[at]!.trim());
      blocks.push({ kind: 'paragraph', spans: spans(text.join(' ')) });
    }
  }
  return blocks;
}

/** What a clause says: the text before its number, from the number before it on, or all after a number that comes first. */
export function clauseText(source: string, clause: string): string | null {
  const lines = parse(source).flatMap((block) => {
    if (block.kind === 'list') return block.items;
    if (block.kind === 'table') return block.rows.map((row) => row.flat());
    return block.kind === 'paragraph' ? [block.spans] : [];
  });
  for (const line of lines) {
    const at = line.findIndex((span) => span.kind === 'clause' && span.text.split(' ').includes(clause));
    if (at < 0) continue;
    const before = line.slice(0, at).findLastIndex((span) => span.kind === 'clause');
    const said = at === 0 ? line.slice(1) : line.slice(before + 1, at);
    const text = said.map((span) => (span.kind === 'clause' ? '' : span.text)).join('').replace(/^[\s.,;:]+/, '').trim(); // prettier-ignore
    return /[.!?:]$/.test(text) ? text : `${text}.`;
  }
  return null;
}
