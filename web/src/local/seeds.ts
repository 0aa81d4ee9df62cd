// Named streams of random numbers, derived from one seed: the same numbers as src/tavolino/play/seeds.py.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** The 64 bits that a stream starts from. */
export function derive(seed: string, game: string, name: string): bigint {
  const digest = hmac(sha256, utf8ToBytes(seed), utf8ToBytes(`tavolino/1:${game}:${name}`));
  return new DataView(digest.buffer, digest.byteOffset).getBigUint64(0, true);
}

/** The streams with these names, one number each. */
export const streams = (seed: string, game: string, names: string[]): bigint[] => names.map((name) => derive(seed, game, name));
