// @vitest-environment node
import { expect, test } from 'vitest';
import { qr } from './qr';

// Compared with python-qrcode 8 for all eight masks when it was written.
const HI = [
  '111111100001101111111',
  '100000101111001000001',
  '101110100011101011101',
  '101110100101001011101',
  '101110101111101011101',
  '100000100101001000001',
  '111111101010101111111',
  '000000000010000000000',
  '101010100110100010010',
  '101100000011010101111',
  '000010111011011101111',
  '001011010101110111010',
  '110100101111011100100',
  '000000001000001000111',
  '111111100100100010011',
  '100000100110001000111',
  '101110101110101010101',
  '101110100111010101010',
  '101110101111011101101',
  '100000100111110111010',
  '111111101101011101111',
];

test('a small code, module by module', () => {
  expect(qr('hi', 0).map((row) => row.map((dark) => (dark ? 1 : 0)).join(''))).toEqual(HI);
});

test.each([
  ['hi', 21, 218],
  ['https://tavolino.example/t/abcdefghijklmnop', 33, 583],
  ['x'.repeat(120), 45, 1024],
  ['y'.repeat(150), 49, 1292],
  ['z'.repeat(200), 57, 1686],
  ['èèèèèèèèèèèèèèèèèèèèèèèèèèèèèè', 33, 545],
])('%s: size and number of dark modules', (text, size, dark) => {
  const code = qr(text, 3);
  expect(code.length).toBe(size);
  expect(code.flat().filter(Boolean).length).toBe(dark);
});

test('what does not fit is refused', () => {
  expect(() => qr('x'.repeat(300))).toThrow(RangeError);
});
