/** The server's HTTP side, or what stands for it in a page without one. A refusal arrives as Problem, with its own code. */
import type { GameEvent } from './board';
import type { View } from './connection';
import type { Refusal } from './refusal';
import type { Reviewed } from './review';
import { engineFile, SITE } from '../local/site';
import * as local from '../local/tables';
import type { GameResult, TableInfo, TableSettings } from './messages';

export class Problem extends Error {
  constructor(
    readonly code: string,
    text: string,
    readonly reason?: string,
    readonly values?: Record<string, unknown>,
  ) {
    super(text);
  }
}

export interface OptionInfo {
  name: string;
  default: unknown;
  choices: unknown[] | null;
  allowed: string;
}

export interface GameInfo {
  key: string;
  title: string;
  players: number[];
  options: OptionInfo[];
  levels: string[];
  /** The server's own bots, by name. */
  bots?: string[];
}

/** What a game says in a language: its sentences by key (see sentences.ts). */
export interface GameText {
  title: string;
  words: Record<string, string>;
  /** The fields of a view that only a seat may know. */
  own: string[];
}

export interface ReplayStep {
  seat: number | null;
  name: string;
  words: string[];
  events: GameEvent[];
  position: Record<string, unknown>;
}

export interface Replay {
  names: string[];
  bots: boolean[];
  /** The seats that were yours. */
  yours: number[];
  seat: number | null;
  result: GameResult;
  view: View & { game: string };
  steps: ReplayStep[];
}

async function ask(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(SITE ? engineFile(path) : `/api${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      credentials: 'same-origin',
    });
  } catch {
    throw new Problem('offline', 'no connection');
  }
  if (response.ok) return response;
  const said = (await response.json().catch(() => ({}))) as Partial<Refusal> & { text?: string };
  throw new Problem(said.code ?? 'internal', said.text ?? response.statusText, said.reason, said.values);
}

async function get<T>(path: string): Promise<T> {
  return (await (await ask(path)).json()) as T;
}

let known: Promise<unknown> | null = null;
/** Get an identity (a cookie) before anything that needs one. */
export function beKnown(): Promise<unknown> {
  if (SITE) return Promise.resolve();
  known ??= get('/me').catch((problem) => {
    known = null;
    throw problem;
  });
  return known;
}

let games: Promise<GameInfo[]> | null = null;
export function listGames(): Promise<GameInfo[]> {
  games ??= (SITE ? get<{ games: GameInfo[] }>('index.json').then((found) => found.games) : get<GameInfo[]>('/games')).catch((problem) => {
    games = null;
    throw problem;
  });
  return games;
}

export async function openTable(name: string, settings: TableSettings): Promise<string> {
  if (SITE) return local.openTable(name, settings);
  await beKnown();
  const made = (await (await ask('/tables', { name, settings, share: true })).json()) as { id: string };
  return made.id;
}

/** Someone who has had a seat at a table, or a bot that has played there. */
export interface MemberInfo {
  member: number | null;
  name: string;
  you: boolean;
  host: boolean;
  here: boolean;
  seat: number | null;
  barred: boolean;
  tallies: { game: string; played: number; won: number }[];
}

/** What a table remembers: its people, what they played, what they agreed on. */
export interface RoomInfo {
  members: MemberInfo[];
  games: {
    number: number;
    game: string;
    at: number;
    names: string[];
    you: number[];
    scores: number[];
    winners: number[];
    ending: string;
  }[];
  played: number;
  agreed: TableSettings[];
}
export const roomOf = (id: string): Promise<RoomInfo> => get(`/tables/${encodeURIComponent(id)}/room`);

export const lobby = (): Promise<TableInfo[]> => (SITE ? Promise.resolve([]) : get('/tables'));
export const myTables = (): Promise<TableInfo[]> => (SITE ? local.myTables() : get('/tables/mine'));
export const replayOf = (id: string, game: number, seat: number | null): Promise<Replay> =>
  SITE ? local.replayOf(id, game, seat) : get(`/tables/${encodeURIComponent(id)}/games/${game}/replay?seat=${seat ?? 'all'}`);
/** The review of a finished game by the server, as far as it is, and how deep that is; it begins one where it is to. */
export const reviewOf = (id: string, game: number, begin: boolean): Promise<Reviewed & { tries: number }> =>
  get(`/tables/${encodeURIComponent(id)}/games/${game}/review?begin=${begin}`);
/** Open a table that goes on from a finished game after so many words; its id. */
export async function tryAgain(id: string, game: number, name: string, moves: number, seat: number): Promise<string> {
  if (SITE) return local.tryAgain(id, game, name, moves, seat);
  await beKnown();
  const made = await ask(`/tables/${encodeURIComponent(id)}/games/${game}/again`, { name, moves, seat });
  return ((await made.json()) as { id: string }).id;
}
/** Open a closed table that shows a record from a file; its id. */
export async function showRecord(record: unknown): Promise<string> {
  await beKnown();
  return ((await (await ask('/records', { record })).json()) as { id: string }).id;
}
export const recordPath = (id: string, game: number): string => `/api/tables/${encodeURIComponent(id)}/games/${game}/record`;
export const recordOf = (id: string, game: number): Promise<Record<string, unknown>> =>
  SITE ? local.recordOf(id, game) : get(`/tables/${encodeURIComponent(id)}/games/${game}/record`);
export const rulesOf = async (game: string, locale: string): Promise<string> =>
  (await ask(SITE ? `${game}/rules.${locale}.md` : `/rules/${encodeURIComponent(game)}/${locale}`)).text();
export const wordsIn = (game: string, locale: string): Promise<GameText> =>
  get(SITE ? `${game}/words.${locale}.json` : `/games/${encodeURIComponent(game)}/text/${locale}`);

/** Who this browser is: whether a personal link exists, and how many other browsers came by it. */
export interface MeInfo {
  known: boolean;
  link: boolean;
  devices: number;
}

export const meNow = (): Promise<MeInfo> => get('/me');
/** Make a link that lets another browser be the same person; an earlier one stops working. */
export const makeLink = async (): Promise<string> => ((await (await ask('/me/link', {})).json()) as { token: string }).token;
export const revokeLink = async (): Promise<MeInfo> => (await ask('/me/link', undefined, 'DELETE')).json() as Promise<MeInfo>;
export const signOutOthers = async (): Promise<MeInfo> => (await ask('/me/devices', undefined, 'DELETE')).json() as Promise<MeInfo>;
/** Delete all that the server has about this person; this browser is a stranger then. */
export const deleteMe = async (): Promise<void> => void (await ask('/me', undefined, 'DELETE'));
export const continueAs = async (token: string): Promise<MeInfo> => (await ask('/me/continue', { token })).json() as Promise<MeInfo>;

/** How others reach the server: whether it listens to other devices, and under which address. */
export interface NetworkInfo {
  open: boolean;
  address: string | null;
  /** Whether this browser can let other devices in. */
  may_open: boolean;
}
export const networkNow = (): Promise<NetworkInfo> => get('/network');
/** Let other devices in, where the server listens on this machine only. */
export const letOthersIn = async (): Promise<NetworkInfo> => (await ask('/network', {})).json() as Promise<NetworkInfo>;
