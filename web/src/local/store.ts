/**
 * The logs of this browser's tables, in IndexedDB. What it does not take (a private window, storage turned off or full) is
 * kept in memory, and stored with the next row if it can be then. An entry's number is taken once.
 */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { TableInfo } from '../lib/messages';

export interface Row {
  number: number;
  /** Milliseconds since the epoch. */
  at: number;
  entry: Record<string, unknown> & { kind: string };
  message: string | null;
}

/** Another tab was faster, or what came before was deleted: what is stored holds. */
export class Taken extends Error {}

interface Schema extends DBSchema {
  rows: { key: [string, number]; value: Row & { table: string } };
  tables: { key: string; value: { id: string; at: number; info: TableInfo }; indexes: { at: number } };
}

export class Store {
  #open: Promise<IDBPDatabase<Schema> | null> | null = null;
  #unkept = new Map<string, { rows: Row[]; info: TableInfo }>();
  #tell: (kept: boolean) => void;

  /** `tell` hears whether everything is stored. */
  constructor(tell: (kept: boolean) => void) {
    this.#tell = tell;
  }

  /** The database; null where there is none just now. */
  #database(): Promise<IDBPDatabase<Schema> | null> {
    return (this.#open ??= this.#opened().catch(() => (this.#open = null)));
  }

  async #opened(): Promise<IDBPDatabase<Schema>> {
    return openDB<Schema>('tavolino', 1, {
      upgrade(db) {
        db.createObjectStore('rows', { keyPath: ['table', 'number'] });
        db.createObjectStore('tables', { keyPath: 'id' }).createIndex('at', 'at');
      },
      terminated: () => (this.#open = null), // someone has deleted what this browser keeps
    });
  }

  async rows(table: string): Promise<Row[]> {
    const db = await this.#database();
    const kept: Row[] = db === null ? [] : await db.getAll('rows', IDBKeyRange.bound([table, 0], [table, Infinity]));
    return [...kept, ...(this.#unkept.get(table)?.rows ?? [])];
  }

  /** Store rows, all or none, with how lists show the table after them. */
  async append(table: string, rows: Row[], info: TableInfo): Promise<void> {
    const before = this.#unkept.get(table)?.rows ?? [];
    if (before.length > 0 && before.at(-1)!.number + 1 !== rows[0]!.number) throw new Taken();
    const all = [...before, ...rows];
    this.#unkept.delete(table);
    if (!(await this.#keep(table, all, info))) this.#unkept.set(table, { rows: all, info });
    this.#tell(this.#unkept.size === 0);
  }

  /** Store rows in the database; false if it does not take them. */
  async #keep(table: string, rows: Row[], info: TableInfo): Promise<boolean> {
    const db = await this.#database();
    if (db === null) return false;
    let done: Promise<unknown> | undefined;
    try {
      const change = db.transaction(['rows', 'tables'], 'readwrite');
      done = change.done;
      done.catch(() => undefined);
      const first = rows[0]!.number;
      if (first > 0 && (await change.objectStore('rows').count([table, first - 1])) === 0) throw new Taken();
      await Promise.all([
        ...rows.map((row) => change.objectStore('rows').add({ ...row, table })),
        change.objectStore('tables').put({ id: table, at: Date.now(), info }),
        done,
      ]);
      return true;
    } catch (error) {
      const why = await Promise.resolve(done).then(
        () => error,
        (ended: unknown) => ended ?? error,
      );
      if ([error, why].some((one) => one instanceof Taken || (one as DOMException).name === 'ConstraintError')) throw new Taken();
      if ((error as DOMException).name === 'InvalidStateError') this.#open = null; // it was closed
      console.warn(`this browser does not store that: ${String(why)}`);
      return false;
    }
  }

  /** All tables, the latest first. */
  async tables(): Promise<TableInfo[]> {
    const db = await this.#database();
    this.#tell(db !== null && this.#unkept.size === 0);
    const kept = db === null ? [] : await db.getAllFromIndex('tables', 'at');
    const unkept = [...this.#unkept.entries()];
    const rest = kept.filter(({ id }) => !this.#unkept.has(id));
    return [...rest.map((one) => one.info), ...unkept.map(([, one]) => one.info)].reverse();
  }
}
