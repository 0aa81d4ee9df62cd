// Made by tools/schema.py from tavolino.server.messages and settings, and tavolino.bots.characters; do not edit: change
// them, then `make schema`.

export const VERSION = 1;

/** Why something is refused, as a code. */
export const CODES = ['stale', 'illegal', 'not_your_turn', 'not_seated', 'seat_taken', 'full', 'not_allowed', 'not_now', 'not_saved', 'too_fast', 'too_many', 'too_many_here', 'too_many_connections', 'too_slow', 'full_house', 'bad_message', 'bad_name', 'bad_settings', 'bad_record', 'not_found', 'method_not_allowed', 'bad_origin', 'bad_host', 'too_large', 'internal'] as const;
export type Code = (typeof CODES)[number];

/** The exact reason, where people should be told more than the code says. */
export const REASONS = ['rule', 'no_move', 'bot_plays', 'no_game', 'closed', 'no_next', 'match_goes_on', 'still_played', 'nothing_to_undo', 'no_cookie', 'has_seat', 'not_opener', 'not_away', 'no_hints', 'hint_pending', 'no_seat', 'no_table', 'no_replay', 'no_link', 'no_round', 'preparing', 'other_share', 'said_so', 'not_host', 'host_here', 'in_game', 'too_few_seats', 'barred', 'room_full', 'no_member', 'not_here', 'no_network'] as const;
export type Reason = (typeof REASONS)[number];

/** The computer's players, by seat: the style each plays in, where a game has it, and how long its moves are shown. */
export const CHARACTERS = [
  { name: 'Nespola', style: 'generous', tempo: 1.15 },
  { name: 'Mirto', style: 'bold', tempo: 0.85 },
  { name: 'Salvia', style: 'patient', tempo: 1.0 },
  { name: 'Ginepro', style: 'prickly', tempo: 1.3 },
  { name: 'Malva', style: '', tempo: 0.95 },
];
/** The levels that play in it. */
export const STYLED = ['medium', 'hard', 'expert'];

/** The first message on a socket; the answer is a `snapshot`, or `reload` if the client is too old. */
export interface Hello {
  type: 'hello';
  v: number;
  screen?: boolean;
}

/** Play a move; `at` is the number of the position in which it was chosen. */
export interface Move {
  type: 'move';
  id: string;
  at: number;
  word: string;
}

/** Take back the last move. */
export interface Undo {
  type: 'undo';
  id: string;
  at: number;
}

/** Take a free seat (any one, without `seat`), or take your own seat back from a bot. */
export interface Sit {
  type: 'sit';
  id: string;
  name: string;
  seat?: number | null;
  share?: boolean;
}

/** Commit to your share of the chance of the next deal, for all your seats. */
export interface Seal {
  type: 'seal';
  id: string;
  round: number;
  seal: string;
}

/** Open your share, once `sealing` has a `fingerprint` and your seal is in it. */
export interface Show {
  type: 'show';
  id: string;
  round: number;
  share: string;
}

/** Give up your seats: before the first game they become free, later a bot plays on. */
export interface Leave {
  type: 'leave';
  id: string;
}

/** Put a bot in an open seat (if you opened the table) or in that of someone who is away (if you have a seat). */
export interface Fill {
  type: 'fill';
  id: string;
  seat: number;
  level?: 'easy' | 'expert' | 'hard' | 'medium';
}

/** See the table from one of your own seats (pass and play: after the curtain). */
export interface Look {
  type: 'look';
  seat: number;
}

/** Begin the next game of the match. */
export interface Next {
  type: 'next';
  id: string;
}

/** Play another match at this table, with the seats rotated, once everyone else wants one, too. */
export interface Rematch {
  type: 'rematch';
  id: string;
}

/** Say whether you are ready for the next game: it is dealt when everyone who has a seat is. */
export interface Ready {
  type: 'ready';
  id: string;
  ready?: boolean;
}

/** Choose what is played next (for the host, between two matches). Whoever was ready has to say so again. */
export interface Choose {
  type: 'choose';
  id: string;
  game: string;
  seats: number;
  options?: Record<string, unknown>;
  games?: number;
  starts?: 'rotate' | 'trailing';
  clock?: ClockSettings | null;
  hints?: boolean;
}

/** A clock: seconds per move, or for a whole game. */
export interface ClockSettings {
  kind: 'bank' | 'move';
  seconds: number;
  zero: 'bot' | 'lose';
}

/** Let two seats change places (for the host, between two matches). */
export interface Swap {
  type: 'swap';
  id: string;
  seat: number;
  to: number;
}

/** Free a seat (for the host, between two matches): its person watches, and may sit down again unless barred. */
export interface Free {
  type: 'free';
  id: string;
  seat: number;
  bar?: boolean;
}

/** Make someone the host: whom you like if you are it, or yourself if the host has been away for a while. */
export interface Hand {
  type: 'hand';
  id: string;
  member: number;
}

/** Let someone who was barred take a seat again (for the host). */
export interface Admit {
  type: 'admit';
  id: string;
  member: number;
}

/** Ask for the best moves; the answer is `hinted`, or `ponder` for a browser that thinks itself. */
export interface Hint {
  type: 'hint';
  id: string;
  here?: boolean;
}

/** Ask for the moves of the game so far and what each did; the answer is `recalled`. */
export interface Recall {
  type: 'recall';
}

/** Show an emote. */
export interface React {
  type: 'emote';
  emote: 'again' | 'hello' | 'hurry' | 'laugh' | 'oops' | 'thanks' | 'think' | 'well-played';
}

/** Ask for a `pong`. */
export interface Ping {
  type: 'ping';
}

/** Everything this connection may know: the first answer, and after every change of seats or game, or a resync. */
export interface Snapshot {
  type: 'snapshot';
  v: number;
  number: number;
  table: TableInfo;
  seat: number | null;
  yours: number[];
  curtain: number | null;
  view: Record<string, unknown> | null;
  movers: (number | null)[];
  legal: Record<string, unknown>[];
  undo: number;
  clock: ClockInfo | null;
  events: Record<string, unknown>[];
  id?: string;
}

/** A table, as everyone sees it. */
export interface TableInfo {
  id: string;
  game: string;
  phase: 'between' | 'over' | 'playing' | 'waiting';
  seats: SeatInfo[];
  options: Record<string, unknown>;
  games: number;
  starts: string;
  clock: ClockSettings | null;
  listed: boolean;
  hints: boolean;
  ready: boolean;
  yours: boolean;
  host: string;
  host_away: boolean;
  match: number;
  playing: number;
  to_move: number | null;
  results: GameResult[];
  totals: number[];
  commitment: string | null;
  seals: (string | null)[] | null;
  terms: Terms | null;
  secret: string | null;
  shares: (string | null)[] | null;
  practice: number | null;
  sealing: SealingInfo | null;
  watching: number;
  screens: number;
  warming: Warmth | null;
}

/** Who sits in a seat. */
export interface SeatInfo {
  kind: 'bot' | 'open' | 'person';
  name: string;
  level: string | null;
  you: boolean;
  here: boolean;
  may_replace: boolean;
  ready: boolean;
  member: number | null;
}

/** How a finished game of the match went. */
export interface GameResult {
  scores: number[];
  winners: number[];
  first: number;
  ending: string;
}

/** What is played and who starts, as the fingerprint of a deal binds it. */
export interface Terms {
  game: string;
  seats: number;
  options: Record<string, unknown>;
  first: number | null;
}

/** A deal being prepared: docs/fairness.md says what a browser must check before it opens its share. */
export interface SealingInfo {
  round: number;
  game: number;
  promise: string;
  awaited: boolean[];
  seals: (string | null)[];
  terms: Terms | null;
  fingerprint: string | null;
}

/** The progress of compiling a game. Until it is done, rules run as plain Python and `hard` plays for `expert`. */
export interface Warmth {
  done: number;
  total: number;
}

/** The clocks now, in milliseconds left; that of the seat `running` is counting down. */
export interface ClockInfo {
  left: number[];
  running: number | null;
}

/** A move was played, or taken back (then `moves` has the remaining words). */
export interface Update {
  type: 'update';
  number: number;
  events: Record<string, unknown>[];
  words: string[];
  position: Record<string, unknown>;
  legal: Record<string, unknown>[];
  undo: number;
  clock?: ClockInfo | null;
  moves?: string[];
  id?: string;
}

/** Nothing has changed; `code` says why, and `reason`, if present, says it more exactly. */
export interface Refused {
  type: 'refused';
  code: 'bad_host' | 'bad_message' | 'bad_name' | 'bad_origin' | 'bad_record' | 'bad_settings' | 'full' | 'full_house' | 'illegal' | 'internal' | 'method_not_allowed' | 'not_allowed' | 'not_found' | 'not_now' | 'not_saved' | 'not_seated' | 'not_your_turn' | 'seat_taken' | 'stale' | 'too_fast' | 'too_large' | 'too_many' | 'too_many_connections' | 'too_many_here' | 'too_slow';
  text: string;
  number: number;
  values?: Record<string, unknown>;
  id?: string;
  reason?: 'barred' | 'bot_plays' | 'closed' | 'has_seat' | 'hint_pending' | 'host_here' | 'in_game' | 'match_goes_on' | 'no_cookie' | 'no_game' | 'no_hints' | 'no_link' | 'no_member' | 'no_move' | 'no_network' | 'no_next' | 'no_replay' | 'no_round' | 'no_seat' | 'no_table' | 'not_away' | 'not_here' | 'not_host' | 'not_opener' | 'nothing_to_undo' | 'other_share' | 'preparing' | 'room_full' | 'rule' | 'said_so' | 'still_played' | 'too_few_seats';
}

/** Who is connected. */
export interface Presence {
  type: 'presence';
  here: boolean[];
  may_replace: boolean[];
  watching: number;
  host_away: boolean;
  screens: number;
}

/** Compiling this table's game has made progress, or is done. */
export interface Warming {
  type: 'warming';
  warming: Warmth | null;
}

/** Someone shows an emote. */
export interface Emoted {
  type: 'emoted';
  seat: number;
  emote: 'again' | 'hello' | 'hurry' | 'laugh' | 'oops' | 'thanks' | 'think' | 'well-played';
}

/** The best moves, from what your seat may know. */
export interface Hinted {
  type: 'hinted';
  id: string;
  number: number;
  moves: HintMove[];
}

/** A move and your chance of winning with it. */
export interface HintMove {
  word: string;
  chance: number;
  low: number | null;
  high: number | null;
  reasons: HintReason[];
}

/** Something that speaks for or against a move; the game's words have a sentence for it, `reason.CODE`. */
export interface HintReason {
  code: string;
  values: Record<string, unknown>;
}

/** What your browser needs to find the best moves itself. */
export interface Ponder {
  type: 'ponder';
  id: string;
  number: number;
  thought: Record<string, unknown>;
}

/** The moves of the game so far. */
export interface Recalled {
  type: 'recalled';
  number: number;
  seat: number | null;
  moves: PastMove[];
}

/** A move of the game so far, with any dice rolled after it. */
export interface PastMove {
  seat: number | null;
  name: string;
  words: string[];
  events: Record<string, unknown>[];
}

/** Your message was accepted; you already know its result (it came twice), or see it elsewhere. */
export interface Accepted {
  type: 'accepted';
  id: string;
  number: number;
}

/** The client is too old (or too new): load the page again. */
export interface Reload {
  type: 'reload';
  v: number;
}

/** The answer to `ping`. */
export interface Pong {
  type: 'pong';
}

/** The process is about to end: connect again, which leads to another one, then close this socket. */
export interface Moving {
  type: 'moving';
}

/** What a table is opened with. */
export interface TableSettings {
  game: string;
  seats: string[];
  options?: Record<string, unknown>;
  games?: number;
  starts?: 'rotate' | 'trailing';
  clock?: ClockSettings | null;
  listed?: boolean;
  hints?: boolean;
  ready?: boolean;
  screen?: boolean;
}

/** All that a client may say. */
export type Incoming = Hello | Move | Undo | Sit | Seal | Show | Leave | Fill | Look | Next | Rematch | Ready | Choose | Swap | Free | Hand | Admit | Hint | Recall | React | Ping;

/** All that the server says. */
export type Outgoing = Snapshot | Update | Refused | Presence | Warming | Emoted | Hinted | Ponder | Recalled | Accepted | Reload | Pong | Moving;
