import { get } from 'svelte/store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection, type Socket } from './connection';
import { fingerprint, hash } from './fingerprint';
import type { Incoming, Snapshot } from './messages';

class FakeSocket implements Socket {
  said: Incoming[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;

  send(text: string): void {
    this.said.push(JSON.parse(text) as Incoming);
  }

  close(): void {
    this.closed = true;
  }

  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  break(): void {
    this.onclose?.();
  }
}

function snapshot(change: Partial<Snapshot> = {}): Snapshot {
  const table = {
    id: 't',
    game: 'some',
    phase: 'playing',
    seats: [
      { kind: 'person', name: 'Ada', here: true },
      { kind: 'bot', name: 'Mirto', here: true },
    ],
  };
  const view = { moves: ['a'], over: false, to_move: 0, scores: [0, 0] };
  return {
    type: 'snapshot', v: 1, number: 3, table: table as never, seat: 0, yours: [0], curtain: null, view, movers: [0], legal: [{ word: 'x' }],
    undo: 1, clock: null, events: [], ...change,
  }; // prettier-ignore
}

let sockets: FakeSocket[];
let connection: Connection;
const latest = (): FakeSocket => sockets[sockets.length - 1]!;
const state = () => get(connection);
const ofType = (socket: FakeSocket, type: string) => socket.said.filter((one) => one.type === type);

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  connection = new Connection('t', () => {
    sockets.push(new FakeSocket());
    return latest();
  });
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

function arrive(change: Partial<Snapshot> = {}): FakeSocket {
  latest().onopen?.();
  latest().hear(snapshot(change));
  return latest();
}

test('says hello first and shows the snapshot', () => {
  latest().onopen?.();
  expect(latest().said).toEqual([{ type: 'hello', v: 1 }]);
  expect(state().link).toBe('connecting');
  latest().hear(snapshot());
  expect(state()).toMatchObject({ link: 'open', number: 3, seat: 0, legal: [{ word: 'x' }], waiting: false });
});

test('a share is brought once, whatever table the server says this is', () => {
  localStorage.clear();
  const base = { ...snapshot().table, options: { size: 3 } };
  const at = (id: string, sealing: object) => ({
    table: { ...base, id, phase: 'waiting', playing: -1, secret: null, seals: null, terms: null, sealing } as never,
  });
  const terms = { game: base.game, seats: base.seats.length, options: base.options, first: null };
  const asked = { round: 3, game: 0, promise: hash('s'), awaited: [true, false], seals: [null, null], terms, fingerprint: null };
  const socket = arrive(at('t', asked));
  const seal = (ofType(socket, 'seal') as { id: string; seal: string }[])[0]!;
  socket.hear({ type: 'accepted', id: seal.id, number: 4 });
  const seals = [seal.seal, null];
  socket.hear(snapshot(at('t', { ...asked, seals, fingerprint: fingerprint(asked.promise, seals, terms) })));
  const show = (ofType(socket, 'show') as { id: string }[])[0]!;
  socket.hear({ type: 'accepted', id: show.id, number: 5 });
  socket.hear(snapshot(at('u', { ...asked, round: 8 })));
  expect(ofType(socket, 'seal')).toHaveLength(1);
  expect(state().table?.id).toBe('t');
});

test('an update changes the position, adds the words, counts a tick', () => {
  arrive();
  const before = state().tick;
  latest().hear({ type: 'update', number: 4, events: [{ type: 'e' }], words: ['b', 'c'], position: { to_move: 1 }, legal: [], undo: 0 });
  expect(state()).toMatchObject({ number: 4, legal: [], undo: 0, tick: before + 1, events: [{ type: 'e' }] });
  expect(state().view).toMatchObject({ to_move: 1, moves: ['a', 'b', 'c'], scores: [0, 0] });
});

test('the moves are told with who made them, their dice and what came of it', () => {
  arrive();
  expect(ofType(latest(), 'recall')).toHaveLength(1);
  latest().hear({ type: 'recalled', number: 3, seat: 0, moves: [{ seat: 0, name: 'Ada', words: ['a'], events: [{ type: 'd' }] }] });
  const update = { position: { to_move: 1 }, legal: [], undo: 0 };
  latest().hear({ type: 'update', number: 4, events: [{ type: 'e' }], words: ['b', 'roll:2'], ...update });
  const told = [
    { seat: 0, name: 'Ada', words: ['a'], events: [{ type: 'd' }] },
    { seat: 0, name: 'Ada', words: ['b', 'roll:2'], events: [{ type: 'e' }] },
  ];
  expect(state().told).toEqual(told);
  const view = { ...state().view!, moves: ['a', 'b', 'roll:2', 'c'] };
  latest().hear(snapshot({ number: 5, view, movers: [0, 0, null, 1], events: [{ type: 'f' }] }));
  expect(state().told).toEqual([...told, { seat: 1, name: 'Mirto', words: ['c'], events: [{ type: 'f' }] }]);
  latest().hear({ type: 'update', number: 6, events: [], words: [], ...update, moves: ['a', 'b', 'roll:2'] });
  expect(state().told).toEqual(told);
  expect(ofType(latest(), 'recall')).toHaveLength(1);
});

test('what was missed is asked for, and so is what other eyes may know', () => {
  arrive();
  latest().hear({ type: 'recalled', number: 3, seat: 0, moves: [{ seat: 0, name: 'Ada', words: ['a'], events: [{ type: 'd' }] }] });
  const view = { ...state().view!, moves: ['a', 'b', 'c'] };
  latest().hear(snapshot({ number: 5, view, movers: [0, 1, 0], events: [{ type: 'f' }] }));
  expect(state().told.map((one) => one.events)).toEqual([[{ type: 'd' }], null, null]);
  expect(ofType(latest(), 'recall')).toHaveLength(2);
  latest().hear(snapshot({ number: 5, view, movers: [0, 1, 0], seat: null, curtain: 1 }));
  expect(state().told.map((one) => one.events)).toEqual([null, null, null]);
  expect(ofType(latest(), 'recall')).toHaveLength(3);
  const moves = view.moves.map((word) => ({ seat: 0, name: 'Ada', words: [word], events: [] }));
  latest().hear({ type: 'recalled', number: 5, seat: 0, moves }); // meant for the eyes before
  expect(state().told.map((one) => one.events)).toEqual([null, null, null]);
  latest().hear({ type: 'recalled', number: 5, seat: null, moves });
  expect(state().told).toEqual(moves);
});

test('moves left after an undo replace the list', () => {
  arrive();
  latest().hear({ type: 'update', number: 4, events: [], words: [], position: {}, legal: [], undo: 0, moves: [] });
  expect(state().view?.moves).toEqual([]);
});

test('a move waits for its answer and no other is sent meanwhile', () => {
  arrive();
  connection.play('x');
  connection.play('x');
  const moves = ofType(latest(), 'move');
  expect(moves).toHaveLength(1);
  expect(moves[0]).toMatchObject({ at: 3, word: 'x' });
  expect(state().waiting).toBe(true);
  latest().hear({
    type: 'update',
    number: 4,
    events: [],
    words: ['x'],
    position: {},
    legal: [],
    undo: 1,
    id: (moves[0] as { id: string }).id,
  });
  expect(state().waiting).toBe(false);
});

test('a move made offline is sent once after the resume, with its own id and position', () => {
  arrive();
  latest().break();
  expect(state().link).toBe('lost');
  connection.play('x');
  expect(state().waiting).toBe(true);
  vi.advanceTimersByTime(400);
  expect(sockets).toHaveLength(2);
  arrive();
  expect(ofType(sockets[0]!, 'move')).toHaveLength(0);
  expect(ofType(latest(), 'move')).toEqual([{ type: 'move', id: expect.any(String), at: 3, word: 'x' }]);
});

test('a move sent before the break is said again with the same id, and taken as played when accepted', () => {
  const first = arrive();
  connection.play('x');
  const sent = ofType(first, 'move')[0]!;
  first.break();
  vi.advanceTimersByTime(400);
  const second = arrive({ number: 4, legal: [] });
  expect(ofType(second, 'move')).toEqual([sent]);
  second.hear({ type: 'accepted', id: (sent as { id: string }).id, number: 4 });
  expect(state()).toMatchObject({ waiting: false, refused: null, number: 4 });
  second.break();
  vi.advanceTimersByTime(400);
  expect(ofType(arrive({ number: 4 }), 'move')).toEqual([]);
});

test('a move that came too late is given up and the new position shown', () => {
  const first = arrive();
  connection.play('x');
  const { id } = ofType(first, 'move')[0] as { id: string };
  first.hear({ type: 'refused', code: 'stale', text: 'the position has changed since', number: 5, id });
  first.hear(snapshot({ number: 5, legal: [] }));
  expect(state()).toMatchObject({ waiting: false, number: 5, refused: { code: 'stale' } });
});

test('too fast is said again a little later', () => {
  const socket = arrive();
  connection.play('x');
  const sent = ofType(socket, 'move')[0] as { id: string };
  socket.hear({ type: 'refused', code: 'too_fast', text: '', number: 3, id: sent.id });
  expect(state().refused).toBe(null);
  vi.advanceTimersByTime(1001);
  expect(ofType(socket, 'move')).toEqual([sent, sent]);
});

test('waits longer with each failed try, never longer than 8 s, and starts anew after success', () => {
  arrive();
  for (let i = 0; i < 12; i++) {
    const tries = sockets.length;
    latest().break();
    vi.advanceTimersByTime(Math.min(8000, 300 * 2 ** i) / 2 - 1);
    expect(sockets.length).toBe(tries);
    vi.advanceTimersByTime(Math.min(8000, 300 * 2 ** i) / 2 + 1);
    expect(sockets.length).toBe(tries + 1);
  }
  arrive();
  const tries = sockets.length;
  latest().break();
  vi.advanceTimersByTime(301);
  expect(sockets.length).toBe(tries + 1);
});

test('pings every 20 s, and silence means a lost connection', () => {
  const socket = arrive();
  vi.advanceTimersByTime(20_000);
  expect(ofType(socket, 'ping')).toHaveLength(1);
  socket.hear({ type: 'pong' });
  vi.advanceTimersByTime(20_000);
  expect(ofType(socket, 'ping')).toHaveLength(2);
  expect(state().link).toBe('open');
  vi.advanceTimersByTime(8001);
  expect(state().link).toBe('lost');
  expect(socket.closed).toBe(true);
});

test('the network coming back hurries the next try', () => {
  arrive();
  latest().break();
  window.dispatchEvent(new Event('online'));
  expect(sockets).toHaveLength(2);
  vi.advanceTimersByTime(10_000);
  expect(sockets).toHaveLength(2);
});

test('an old page is asked to reload and stops trying', () => {
  latest().onopen?.();
  latest().hear({ type: 'reload', v: 2 });
  latest().break();
  vi.advanceTimersByTime(60_000);
  expect(state().link).toBe('reload');
  expect(sockets).toHaveLength(1);
});

test('a table that does not exist is not looked for again', () => {
  latest().onopen?.();
  latest().hear({ type: 'refused', code: 'not_found', text: 'there is no such table', number: 0 });
  latest().break();
  vi.advanceTimersByTime(60_000);
  expect(state().link).toBe('gone');
  expect(sockets).toHaveLength(1);
});

test('a hint is shown for its position only, and gone with the next', () => {
  const socket = arrive();
  connection.hint();
  const { id } = ofType(socket, 'hint')[0] as { id: string };
  expect(state().thinking).toBe(true);
  socket.hear({ type: 'hinted', id, number: 3, moves: [{ word: 'x', chance: 0.6 }] });
  expect(state()).toMatchObject({ thinking: false, hint: [{ word: 'x', chance: 0.6 }] });
  socket.hear({ type: 'update', number: 4, events: [], words: ['x'], position: {}, legal: [], undo: 0 });
  expect(state().hint).toBe(null);
});

test('presence and emotes', () => {
  const socket = arrive();
  socket.hear({ type: 'warming', warming: { done: 1, total: 10 } });
  expect(state().table).toMatchObject({ warming: { done: 1, total: 10 } });
  socket.hear({ type: 'presence', here: [true, false], may_replace: [false, true], watching: 2 });
  expect(state().table).toMatchObject({ watching: 2, seats: [{ here: true }, { here: false, may_replace: true }] });
  socket.hear({ type: 'emoted', seat: 1, emote: 'oops' });
  socket.hear({ type: 'emoted', seat: 1, emote: 'laugh' });
  expect(state().emotes).toMatchObject([{ seat: 1, emote: 'laugh' }]);
});

test('after a break the same eyes look again, without a curtain for them', () => {
  arrive({ yours: [0, 1], seat: null, curtain: 1 });
  connection.look(1);
  latest().hear(snapshot({ yours: [0, 1], seat: 1 }));
  latest().break();
  vi.advanceTimersByTime(400);
  const second = arrive({ yours: [0, 1], seat: null, curtain: 1 });
  expect(ofType(second, 'look')).toEqual([{ type: 'look', seat: 1 }]);
});

test('moves to another process before its own ends, without a sign of it; what is unanswered is said again there', () => {
  const old = arrive();
  const links: string[] = [];
  const stop = connection.subscribe((state) => links.push(state.link));
  connection.play('x');
  old.hear({ type: 'moving' });
  vi.advanceTimersByTime(400);
  expect(sockets).toHaveLength(2);
  expect(old.closed).toBe(false);
  latest().onopen?.();
  latest().hear(snapshot({ number: 4 }));
  expect(old.closed).toBe(true);
  old.break();
  expect(ofType(latest(), 'move')).toEqual(ofType(old, 'move'));
  expect(state()).toMatchObject({ link: 'open', number: 4 });
  expect(new Set(links)).toEqual(new Set(['open']));
  stop();
});

test('asks again for another process while the old one still serves', () => {
  const old = arrive();
  old.hear({ type: 'moving' });
  vi.advanceTimersByTime(400);
  latest().break();
  vi.advanceTimersByTime(400);
  expect(sockets).toHaveLength(3);
  latest().onopen?.();
  latest().hear(snapshot({ number: 4 }));
  expect(old.closed).toBe(true);
  expect(state()).toMatchObject({ link: 'open', number: 4 });
  vi.advanceTimersByTime(2000);
  expect(sockets).toHaveLength(3);
});

test('stays where it is if no other process is there', () => {
  const old = arrive();
  old.hear({ type: 'moving' });
  vi.advanceTimersByTime(400);
  latest().break();
  expect(state().link).toBe('open');
  connection.play('x');
  expect(ofType(old, 'move')).toHaveLength(1);
  old.break();
  expect(state().link).toBe('lost');
});
