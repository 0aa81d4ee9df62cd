import { DOT, signed, type Teller, type Told } from '../../lib/telling';
import { text } from './text';
import type { Colour } from './types';

/** A move in words, such as `green@r3` or `draw`, and the points it brought. */
export function deed(told: Told, teller: Teller): string {
  const gains = (told.events ?? []).filter((one) => one.type === 'points_scored' && one.seat === told.seat);
  return [act(told, teller), ...signed(gains.reduce((sum, one) => sum + Number(one.points), 0))].join(DOT);
}

function act({ seat, words: [word = ''], events }: Told, { you, moves }: Teller): string {
  const { moves: t, colour } = text();
  const mine = seat === you;
  const drew = events?.find((one) => one.type === 'token_drawn')?.colour as Colour | undefined;
  if (word === 'draw' && drew) return (mine ? t.youdrew : t.drew)({ colour: colour[drew]() });
  if (word === 'draw' || word === 'keep' || word === 'pass') return mine ? t[`you${word}`]() : t[word]();
  const token = /^(\w+)@([br])(\d+)$/.exec(word);
  if (!token) return word;
  const laid = token[1] as Colour;
  if (token[2] === 'b') return (mine ? t.youstart : t.start)({ colour: colour[laid]() });
  if (laid !== 'black') return (mine ? t.youadd : t.add)({ colour: colour[laid]() });
  const row = rowsOf(moves)[Number(token[3])];
  if (row === undefined) return mine ? t.youclose() : t.close();
  return (mine ? t.youcloseRow : t.closeRow)({ colour: colour[row]() });
}

/** The colours of the rows that were begun, the oldest first: so they are numbered. */
const rowsOf = (moves: string[]): Colour[] => moves.flatMap((word) => (/^(\w+)@b/.exec(word)?.[1] as Colour | undefined) ?? []);
