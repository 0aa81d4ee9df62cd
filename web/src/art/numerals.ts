/** The drawn numerals: symbols `n-…` of the sprite, placed side by side. */
const SYMBOL: Record<string, string> = { '+': 'plus', '-': 'minus', '−': 'minus', '×': 'times', '?': 'q', '=': 'eq' };
const WIDTH: Record<string, number> = {
  '0': 60, '1': 44, '2': 60, '3': 60, '4': 60, '5': 60, '6': 60, '7': 58, '8': 60, '9': 60,
  plus: 56, minus: 52, times: 50, q: 54, eq: 54,
}; // prettier-ignore
const GAP = 5;

export interface Figure {
  /** Draw as `<use href="#n-{glyph}" x={x - 4} y="-2" width={width + 8} height="88"/>`. */
  glyph: string;
  x: number;
  width: number;
}

/** Lay a number (digits, + − × ? =) out on a line 84 units high; the line starts at 0 and is `width` wide. */
export function numerals(text: string): { figures: Figure[]; width: number } {
  let x = 0;
  const figures: Figure[] = [];
  for (const letter of text) {
    const glyph = SYMBOL[letter] ?? letter;
    const width = WIDTH[glyph];
    if (width === undefined) {
      x += 24; // a blank
      continue;
    }
    figures.push({ glyph, x, width });
    x += width + GAP;
  }
  return { figures, width: Math.max(0, x - GAP) };
}
