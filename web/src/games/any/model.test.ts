// @vitest-environment node
import { expect, test } from 'vitest';
import { areasOf, faceOf, Kinds, verbsOf } from './model';

const common = {
  game: 'some',
  seat: 0,
  seats: 2,
  options: {},
  first: 0,
  to_move: 0,
  over: false,
  scores: [3, 1],
  winners: null,
  moves: [],
};

test('a view is sorted into others, table and yours', () => {
  const view = {
    ...common,
    stack: 12,
    bid: { seat: 1, number: 4, face: 5 },
    dice: [5, 3],
    hand_sizes: [2, 3],
    last: { hands: [[1], [2, 3]], loser: 1 },
    hand: [5, 6],
  };
  const { seats, table, yours } = areasOf(view, ['hand']);
  expect(yours).toEqual([{ kind: 'pieces', key: 'hand', pieces: [5, 6] }]);
  expect(seats[1]).toEqual({
    numbers: [{ key: 'dice', value: 3 }],
    hidden: 3,
    parts: [],
  });
  expect(table.map((part) => part.key)).toEqual(['stack', 'bid', 'last']);
  expect(table[1]).toMatchObject({
    kind: 'group',
    seat: 1,
    parts: [
      { key: 'number', value: 4 },
      { key: 'face', value: 5 },
    ],
  });
  expect(areasOf({ ...common, leader: { seat: 1 }, hands: [{ seat: 0, cards: [] }] }, []).table).toEqual([
    { kind: 'value', key: 'leader', value: 1, who: true },
  ]);
  expect(areasOf({ ...common, trick: [{ seat: 1, card: '7 leaf' }], hand: [] }, ['hand']).table).toMatchObject([
    { key: 'trick', parts: [{ seat: 1, parts: [{ kind: 'pieces', pieces: ['7 leaf'] }] }] },
  ]);
  expect(table[2]).toMatchObject({
    parts: [
      { key: 'hands', parts: [{ seat: 0 }, { seat: 1 }] },
      { key: 'loser', value: 1 },
    ],
  });
  expect(areasOf({ ...view, hand: null }, ['hand']).yours).toEqual([]);
});

test('in a replay with all open each seat shows what it alone could know, whatever it is called', () => {
  const own = [
    { hand: [5, 6], goal: '7 leaf' },
    { hand: [1], goal: '3 shell' },
  ];
  const { seats, yours } = areasOf({ ...common, hand: null, goal: null, hands: [[5, 6], [1]], own_views: own }, ['hand', 'goal']);
  expect(yours).toEqual([]);
  expect(seats.map((one) => one.parts)).toMatchObject([
    [{ pieces: [5, 6] }, { pieces: ['7 leaf'] }],
    [{ pieces: [1] }, { pieces: ['3 shell'] }],
  ]);
});

test('yours is what only a seat may know, however it looks; where nothing is hidden, all that comes last is of all seats', () => {
  const open = areasOf({ ...common, pot: 3, chips: [11, 10] }, []);
  expect(open.yours).toEqual([]);
  expect(open.seats.map((one) => one.numbers[0]?.value)).toEqual([11, 10]);
  expect(areasOf({ ...common, cards: [9, 3], trump: 'shell' }, ['cards']).yours).toMatchObject([{ key: 'cards', pieces: [9, 3] }]);
});

test('without numbers of its own a seat has its score', () => {
  const { seats } = areasOf({ ...common, trump: 'shell' }, []);
  expect(seats.map((one) => one.numbers[0])).toEqual([
    { key: 'scores', value: 3 },
    { key: 'scores', value: 1 },
  ]);
});

test('a piece is a number, a kind, or both, however it is written', () => {
  for (const piece of ['9 leaf', 'leaf:9', '9leaf', 'leaf-9', { rank: 9, suit: 'leaf' }])
    expect(faceOf(piece)).toMatchObject({ number: '9', kind: 'leaf' });
  expect(faceOf(5)).toEqual({ number: '5', kind: null, text: '5' });
  expect(faceOf('joker')).toEqual({ number: null, kind: 'joker', text: 'joker' });
});

test('kinds keep their colours, no two alike while there are enough, and colours are themselves', () => {
  const kinds = new Kinds();
  const all = ['leaf', 'shell', 'red', 'bell', 'star'].map((kind) => kinds.of(kind));
  expect(new Set(all).size).toBe(5);
  expect(all[2]).toBe('red');
  expect(kinds.of('leaf')).toBe(all[0]);
});

test('moves are grouped by their verb, or by how their words begin', () => {
  const legal = ['bid:3', 'bid:4', 'liar', '3x5'].map((word) => ({ word }));
  expect(verbsOf([...legal, { word: 'x', verb: 'liar' }]).map(({ verb, offers }) => [verb, offers.length])).toEqual([
    ['bid', 2],
    ['liar', 2],
    ['3x5', 1],
  ]);
});
