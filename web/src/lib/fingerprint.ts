/**
 * The fingerprint of a deal, kept by this browser from the moment it sees it, and this browser's own share of the chance.
 * What the server shows after the game is compared with what was kept: a fingerprint that comes together with its secret
 * proves nothing. docs/fairness.md has the protocol and what each of its checks is for.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Seal, Show, TableInfo, Terms } from './messages';
import { forget, remember, remembered, rememberedKeys } from './storage';

export interface Kept {
  print: string;
  /** How many moves had been played when it was first seen. */
  moves: number;
}

/** This browser's share of one game. */
interface Mine {
  round: number;
  share: string;
  /** Whether it was opened: then no other is, for this game. */
  opened: boolean;
  /** Whether it was sealed by an earlier version of this page, whose fingerprints did not bind the terms. */
  old: boolean;
}

/** yours: our own share is in it · fits: kept before the first move · late: after some · alone: nothing kept · broken. */
export type Verdict = 'yours' | 'fits' | 'late' | 'alone' | 'broken';
type Shares = (string | null)[] | null;
/** A table as the server shows it while a deal is being prepared: with the game before, if there was one. */
type Shown = Pick<TableInfo, 'sealing' | 'playing' | 'secret' | 'seals' | 'terms' | 'game' | 'options' | 'seats'>;

/** A table with a game on it. */
type Dealt = Pick<
  TableInfo,
  'id' | 'playing' | 'commitment' | 'secret' | 'seals' | 'shares' | 'terms' | 'results' | 'game' | 'options' | 'seats'
>;

const MOST = 300;
const here = new Map<string, string>(); // for browsers that store nothing: it holds as long as the page is open

export const hash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** The one way to write a value as JSON: keys in order, no spaces. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}

/** What binds everyone, in one value: the server's commitment, each seat's seal and the terms; earlier versions bound no terms. */
export function fingerprint(promise: string, seals: Shares, terms: Terms | null): string {
  if (seals === null) return promise;
  const parts = `${promise}:${seals.map((seal) => seal ?? '-').join(',')}`;
  return hash(terms === null ? `tavolino/2:deal:${parts}` : `tavolino/3:deal:${parts}:${canonical(terms)}`);
}

/** Whether terms are those of the table that people see here. Who starts the first game is drawn; later, the seats take turns. */
function areOurs({ game, seats, options, first }: Terms, shown: Pick<TableInfo, 'game' | 'options' | 'seats'>, number: number): boolean {
  const same = game === shown.game && seats === shown.seats.length && canonical(options) === canonical(shown.options);
  return same && (number > 0 || first === null);
}

/** What is remembered under a key; empty if nothing is. */
export function found(key: string): string {
  return remembered(key) ?? here.get(key) ?? '';
}

/** Remember a line, and forget the oldest of its kind; each ends with the time. */
export function note(kind: string, key: string, line: string): void {
  here.set(key, `${line} ${Date.now()}`);
  remember(key, `${line} ${Date.now()}`);
  const all = rememberedKeys(kind);
  if (all.length <= MOST) return;
  const since = (one: string): number => Number(remembered(one)?.split(' ').at(-1) ?? 0);
  for (const one of all.sort((a, b) => since(a) - since(b)).slice(0, all.length - MOST)) forget(one);
}

export function kept(table: string, game: number): Kept | null {
  const line = /^([0-9a-f]{64}) (\d+) \d+$/.exec(found(`print.${table}.${game}`));
  return line ? { print: line[1]!, moves: Number(line[2]) } : null;
}

/** Keep the fingerprint of a game that goes on, unless one is kept: the first one seen is the one that counts. */
export function keep(table: string, game: number, print: string, moves: number): void {
  if (kept(table, game) === null) note('print.', `print.${table}.${game}`, `${print} ${moves}`);
}

function mineOf(table: string, game: number): Mine | null {
  const line = /^(\d+) ([0-9a-f]{64}) ([01])( terms)? \d+$/.exec(found(`share.${table}.${game}`));
  return line ? { round: Number(line[1]), share: line[2]!, opened: line[3] === '1', old: line[4] === undefined } : null;
}

function keepMine(table: string, game: number, { round, share, opened, old }: Mine): void {
  note('share.', `share.${table}.${game}`, `${round} ${share} ${opened ? 1 : 0}${old ? '' : ' terms'}`);
}

/**
 * Whether the server asks for another share before the deal that got the last one is over and open: an honest one does not.
 * It may not do so for the same game, nor by calling it another: games are counted, and the one before must be open first.
 */
export function askedTwice(table: string, { sealing, playing, secret, seals, terms }: Shown): boolean {
  if (!sealing) return false;
  const mine = mineOf(table, sealing.game);
  if (mine !== null && mine.opened && mine.round !== sealing.round) return true;
  if (playing !== sealing.game - 1) return true;
  const print = mineOf(table, playing)?.opened ? kept(table, playing) : null;
  return print !== null && (secret === null || fingerprint(hash(secret), seals, terms) !== print.print);
}

/** Whether the server asks for a share to other terms than those of the table that people see here: an honest one does not. */
export function otherTerms(table: string, shown: Shown): boolean {
  const { sealing } = shown;
  if (!sealing) return false;
  if (sealing.terms !== null) return !areOurs(sealing.terms, shown, sealing.game);
  const mine = mineOf(table, sealing.game); // a server that was renewed meanwhile ends what all had sealed before, as it was
  return mine === null || !mine.old || mine.round !== sealing.round;
}

/**
 * What this browser answers to a deal being prepared; null for nothing. It seals a fresh share, and opens it only when
 * the server and all others are bound, its own seal among theirs. `anew`: the connection is, and another device may have sealed.
 */
export function answerTo(table: string, shown: Shown, yours: number[], anew: boolean): Omit<Seal, 'id'> | Omit<Show, 'id'> | null {
  const { sealing } = shown;
  if (!sealing || askedTwice(table, shown) || otherTerms(table, shown)) return null;
  const { round, game, seals } = sealing;
  const mine = mineOf(table, game);
  const share = mine !== null && mine.round === round ? mine.share : null;
  if (sealing.fingerprint === null) {
    const sealed = yours.filter((seat) => seals[seat] !== null);
    const elsewhere = anew && sealed.some((seat) => share === null || seals[seat] !== hash(share));
    if (!yours.some((seat) => sealing.awaited[seat]) && !elsewhere) return null;
    const fresh = share ?? bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
    keepMine(table, game, { round, share: fresh, opened: false, old: sealing.terms === null });
    return { type: 'seal', round, seal: hash(fresh) };
  }
  const due = yours.filter((seat) => sealing.awaited[seat]);
  if (share === null || due.length === 0 || due.some((seat) => seals[seat] !== hash(share))) return null;
  const print = fingerprint(sealing.promise, seals, sealing.terms);
  if (print !== sealing.fingerprint) return null;
  keep(table, game, print, 0);
  keepMine(table, game, { round, share, opened: true, old: sealing.terms === null });
  return { type: 'show', round, share };
}

/** Judge what a game was dealt from by what this browser kept, or, where nothing was, by what the server shows beside it. */
export function judge(shown: Dealt): Verdict {
  const { seals, shares, terms } = shown;
  const [print, own] = [kept(shown.id, shown.playing), mineOf(shown.id, shown.playing)];
  const withheld = shown.results.at(-1)?.ending === 'withheld';
  const opened = seals?.every((seal, seat) => {
    const share = shares?.[seat] ?? null;
    return share === null ? seal === null || withheld : hash(share) === seal;
  });
  const right = fingerprint(hash(shown.secret ?? ''), seals, terms) === (print?.print ?? shown.commitment);
  if (terms !== null && !areOurs(terms, shown, shown.playing)) return 'broken';
  if (!right || opened === false) return 'broken';
  if (own?.opened) return shares?.includes(own.share) ? 'yours' : 'broken';
  if (print === null) return 'alone';
  return print.moves === 0 ? 'fits' : 'late';
}
