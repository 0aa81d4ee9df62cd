/**
 * What this browser was shown of a game, position by position, as short hashes: when all is open at the end, the game is
 * dealt again and each of them is compared. A card that was changed in the middle of a game would not go unnoticed.
 */
import type { TableState, View } from './connection';
import { hash, note, found } from './fingerprint';

/** How many moves had been played, whose eyes (null: a spectator's), and the hash of the view. */
export interface Sight {
  moves: number;
  seat: number | null;
  hash: string;
}

const LENGTH = 12; // 48 bits of SHA-256: nobody makes another position to fit them all
const WRITTEN = /^(\d+)([.-])(\d*):([0-9a-f]+)$/;

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, one]) => [key, sorted(one)]),
        )
      : value;

/** The same for the same view, whatever the order of its fields. */
export const hashOf = (view: Record<string, unknown>): string => hash(JSON.stringify(sorted(view))).slice(0, LENGTH);

const keyOf = (table: string, game: number): string => `saw.${table}.${game}`;

/** All that was seen of a game, in the order of its moves. */
export function sights(table: string, game: number): Sight[] {
  return found(keyOf(table, game))
    .split(' ')
    .flatMap((one) => {
      const parts = WRITTEN.exec(one);
      return parts ? [{ moves: Number(parts[1]), seat: parts[2] === '-' ? null : Number(parts[3]), hash: parts[4]! }] : [];
    });
}

/** Keep what a view shows; what was seen after it has been taken back. */
export function see(table: string, game: number, view: View): void {
  const seat = (view['seat'] ?? null) as number | null;
  const mine: Sight = { moves: view.moves.length, seat, hash: hashOf(view) };
  const before = sights(table, game);
  if (before.some((one) => one.moves === mine.moves && one.seat === seat && one.hash === mine.hash)) return;
  const kept = before.filter((one) => one.moves < mine.moves || (one.moves === mine.moves && one.seat !== seat));
  const line = [...kept, mine].map((one) => `${one.moves}${one.seat === null ? '-' : `.${one.seat}`}:${one.hash}`).join(' ');
  note('saw.', keyOf(table, game), line);
}

/** Keep what a table shows while its game goes on; once all is open there is nothing to prove. */
export function seeTable({ table, view }: TableState): void {
  if (table?.commitment && table.secret === null && view && !view.over) see(table.id, table.playing, view);
}
