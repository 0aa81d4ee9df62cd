/** Bytes as text and back: how states travel between Python, WebAssembly and the workers. */
const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const DIGITS = new Uint8Array(128);
[...'0123456789abcdef'].forEach((digit, value) => (DIGITS[digit.charCodeAt(0)] = value));

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(hex.length / 2);
  for (let i = 0; i < made.length; i++) made[i] = 16 * DIGITS[hex.charCodeAt(2 * i)]! + DIGITS[hex.charCodeAt(2 * i + 1)]!;
  return made;
}

export function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += PAIRS[byte]!;
  return text;
}
