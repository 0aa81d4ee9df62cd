/**
 * A QR code for a link: bytes, error correction M, versions 1 to 10 (213 bytes), as ISO/IEC 18004 describes it.
 * Returns the dark modules as rows of booleans.
 */
const ECC_EACH = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const BLOCKS = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function rawCodewords(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const align = Math.floor(version / 7) + 2;
    modules -= (25 * align - 10) * align - 55;
    if (version >= 7) modules -= 36;
  }
  return Math.floor(modules / 8);
}

function times(a: number, b: number): number {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> i) & 1) * a;
  }
  return product;
}

function correction(data: number[], degree: number): number[] {
  const divisor = Array.from<unknown, number>({ length: degree }, (_, i) => (i === degree - 1 ? 1 : 0));
  let root = 1;
  for (let i = 0; i < degree; i++) {
    for (let j = 0; j < degree; j++) divisor[j] = times(divisor[j]!, root) ^ (divisor[j + 1] ?? 0);
    root = times(root, 2);
  }
  const rest = new Array<number>(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift()!;
    rest.push(0);
    divisor.forEach((one, i) => (rest[i]! ^= times(one, factor)));
  }
  return rest;
}

function codewords(bytes: Uint8Array, version: number): number[] {
  const capacity = rawCodewords(version) - ECC_EACH[version]! * BLOCKS[version]!;
  const bits: number[] = [];
  const put = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >>> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, capacity * 8 - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity * 8; pad ^= 0xec ^ 0x11) put(pad, 8);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) data.push(bits.slice(i, i + 8).reduce((sum, bit) => sum * 2 + bit, 0));

  const count = BLOCKS[version]!;
  const ecc = ECC_EACH[version]!;
  const short = Math.floor(rawCodewords(version) / count);
  const shorts = count - (rawCodewords(version) % count);
  const blocks: number[][] = [];
  for (let i = 0, at = 0; i < count; i++) {
    const part = data.slice(at, at + short - ecc + (i < shorts ? 0 : 1));
    at += part.length;
    const check = correction(part, ecc);
    if (i < shorts) part.push(-1); // a hole, so that all have one length
    blocks.push([...part, ...check]);
  }
  return blocks[0]!.flatMap((_, i) => blocks.map((block) => block[i]!)).filter((byte) => byte >= 0);
}

class Grid {
  readonly dark: boolean[][];
  readonly fixed: boolean[][];

  constructor(readonly size: number) {
    this.dark = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
    this.fixed = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  }

  fix(x: number, y: number, dark: boolean): void {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.dark[y]![x] = dark;
    this.fixed[y]![x] = true;
  }
}

function drawPatterns(grid: Grid, version: number): void {
  const { size } = grid;
  for (let i = 0; i < size; i++) {
    grid.fix(6, i, i % 2 === 0);
    grid.fix(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    for (let dy = -4; dy <= 4; dy++)
      for (let dx = -4; dx <= 4; dx++) {
        const far = Math.max(Math.abs(dx), Math.abs(dy));
        grid.fix(cx + dx, cy + dy, far !== 2 && far !== 4);
      }
  }
  const count = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const step = count < 2 ? 0 : Math.ceil((size - 13) / (2 * count - 2)) * 2;
  const places = Array.from({ length: count }, (_, i) => (i === 0 ? 6 : size - 7 - (count - 1 - i) * step));
  places.forEach((y, i) =>
    places.forEach((x, j) => {
      if ((i === 0 && j === 0) || (i === 0 && j === count - 1) || (i === count - 1 && j === 0)) return;
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++) grid.fix(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }),
  );
  if (version >= 7) {
    let rest = version;
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const dark = ((bits >>> i) & 1) === 1;
      grid.fix(size - 11 + (i % 3), Math.floor(i / 3), dark);
      grid.fix(Math.floor(i / 3), size - 11 + (i % 3), dark);
    }
  }
}

function drawFormat(grid: Grid, mask: number): void {
  const data = mask; // level M is 00
  let rest = data;
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  const bit = (i: number) => ((bits >>> i) & 1) === 1;
  const { size } = grid;
  for (let i = 0; i <= 5; i++) grid.fix(8, i, bit(i));
  grid.fix(8, 7, bit(6));
  grid.fix(8, 8, bit(7));
  grid.fix(7, 8, bit(8));
  for (let i = 9; i < 15; i++) grid.fix(14 - i, 8, bit(i));
  for (let i = 0; i < 8; i++) grid.fix(size - 1 - i, 8, bit(i));
  for (let i = 8; i < 15; i++) grid.fix(8, size - 15 + i, bit(i));
  grid.fix(8, size - 8, true);
}

function drawData(grid: Grid, words: number[]): void {
  const { size } = grid;
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        if (grid.fixed[y]![x] || at >= words.length * 8) continue;
        grid.dark[y]![x] = ((words[at >>> 3]! >>> (7 - (at & 7))) & 1) === 1;
        at++;
      }
  }
}

function penalty(dark: boolean[][]): number {
  const size = dark.length;
  const lines = [...dark, ...dark.map((_, x) => dark.map((row) => row[x]!))];
  let sum = 0;
  for (const line of lines) {
    for (const run of line
      .map((one) => (one ? '1' : '0'))
      .join('')
      .match(/0{5,}|1{5,}/g) ?? [])
      sum += run.length - 2;
    const text = `0000${line.map((one) => (one ? '1' : '0')).join('')}0000`;
    for (let i = 0; i + 11 <= text.length; i++) if (text.startsWith('10111010000', i) || text.startsWith('00001011101', i)) sum += 40;
  }
  for (let y = 0; y + 1 < size; y++)
    for (let x = 0; x + 1 < size; x++) {
      const one = dark[y]![x];
      if (one === dark[y]![x + 1] && one === dark[y + 1]![x] && one === dark[y + 1]![x + 1]) sum += 3;
    }
  const share = dark.flat().filter(Boolean).length / (size * size);
  return sum + Math.floor(Math.abs(share * 20 - 10)) * 10;
}

export function qr(text: string, only?: number): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const fits = (version: number) => bytes.length + (version < 10 ? 2 : 3) <= rawCodewords(version) - ECC_EACH[version]! * BLOCKS[version]!;
  const version = Array.from({ length: 10 }, (_, i) => i + 1).find(fits);
  if (version === undefined) throw new RangeError('too long for a QR code of ours');
  const words = codewords(bytes, version);
  let best: boolean[][] | null = null;
  let least = Infinity;
  for (let mask = 0; mask < 8; mask++) {
    if (only !== undefined && only !== mask) continue;
    const grid = new Grid(17 + 4 * version);
    drawPatterns(grid, version);
    drawFormat(grid, mask);
    drawData(grid, words);
    for (let y = 0; y < grid.size; y++)
      for (let x = 0; x < grid.size; x++) if (!grid.fixed[y]![x] && MASKS[mask]!(x, y)) grid.dark[y]![x] = !grid.dark[y]![x];
    const bad = penalty(grid.dark);
    if (bad < least) [best, least] = [grid.dark, bad];
  }
  return best!;
}
