/**
 * The fingerprint of a game's secret, kept by this browser from the moment it sees it. What the server shows after the
 * game is compared with what was kept: a fingerprint that comes together with its secret proves nothing.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { forget, remember, remembered, rememberedKeys } from './storage';

export interface Kept {
  print: string;
  /** How many moves had been played when it was first seen. */
  moves: number;
}

/** fits: kept before the first move · late: kept after some · alone: nothing kept · broken: another secret. */
export type Verdict = 'fits' | 'late' | 'alone' | 'broken';

const MOST = 300;
const here = new Map<string, Kept>(); // for browsers that store nothing: it holds as long as the page is open

const keyOf = (table: string, game: number): string => `print.${table}.${game}`;

export function kept(table: string, game: number): Kept | null {
  const key = keyOf(table, game);
  const found = /^([0-9a-f]{64}) (\d+) \d+$/.exec(remembered(key) ?? '');
  return found ? { print: found[1]!, moves: Number(found[2]) } : (here.get(key) ?? null);
}

/** Keep the fingerprint of a game that goes on, unless one is kept: the first one seen is the one that counts. */
export function keep(table: string, game: number, print: string, moves: number): void {
  if (kept(table, game) !== null) return;
  here.set(keyOf(table, game), { print, moves });
  remember(keyOf(table, game), `${print} ${moves} ${Date.now()}`);
  const all = rememberedKeys('print.');
  if (all.length <= MOST) return;
  const since = (key: string): number => Number(remembered(key)?.split(' ')[2] ?? 0);
  for (const key of all.sort((a, b) => since(a) - since(b)).slice(0, all.length - MOST)) forget(key);
}

/** Compare a secret with what was kept, or, where nothing was, with what the server shows beside it. */
export function judge(secret: string, shown: string, mine: Kept | null): Verdict {
  const print = bytesToHex(sha256(utf8ToBytes(secret)));
  if (print !== (mine?.print ?? shown)) return 'broken';
  if (mine === null) return 'alone';
  return mine.moves === 0 ? 'fits' : 'late';
}
