/** The logs of this browser's tables, in IndexedDB; in memory where that is turned off. An entry's number is taken once. */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { TableInfo } from '../lib/messages';

export interface Row {
  number: number;
  /** Milliseconds since the epoch. */
  at: number;
  entry: Record<string, unknown> & { kind: string };
  message: string | null;
}

/** Another tab was faster: what is stored holds. */
export class Taken extends Error {}

interface Schema extends DBSchema {
  rows: { key: [string, number]; value: Row & { table: string } };
  tables: { key: string; value: { id: string; at: number; info: TableInfo }; indexes: { at: number } };
}

export interface Store {
  rows(table: string): Promise<Row[]>;
  /** Store rows, all or none, with how lists show the table after them. */
  append(table: string, rows: Row[], info: TableInfo): Promise<void>;
  /** All tables, the latest first. */
  tables(): Promise<TableInfo[]>;
}

class Memory implements Store {
  #rows = new Map<string, Row[]>();
  #tables = new Map<string, TableInfo>();

  async rows(table: string): Promise<Row[]> {
    return this.#rows.get(table) ?? [];
  }

  async append(table: string, rows: Row[], info: TableInfo): Promise<void> {
    const known = this.#rows.get(table) ?? [];
    if (known.length !== rows[0]!.number) throw new Taken();
    this.#rows.set(table, [...known, ...rows]);
    this.#tables.delete(table);
    this.#tables.set(table, info);
  }

  async tables(): Promise<TableInfo[]> {
    return [...this.#tables.values()].reverse();
  }
}

class Database implements Store {
  #db: IDBPDatabase<Schema>;

  constructor(db: IDBPDatabase<Schema>) {
    this.#db = db;
  }

  async rows(table: string): Promise<Row[]> {
    return this.#db.getAll('rows', IDBKeyRange.bound([table, 0], [table, Infinity]));
  }

  async append(table: string, rows: Row[], info: TableInfo): Promise<void> {
    const change = this.#db.transaction(['rows', 'tables'], 'readwrite');
    try {
      await Promise.all([
        ...rows.map((row) => change.objectStore('rows').add({ ...row, table })),
        change.objectStore('tables').put({ id: table, at: Date.now(), info }),
        change.done,
      ]);
    } catch (error) {
      await change.done.catch(() => undefined);
      throw (error as DOMException).name === 'ConstraintError' || change.error?.name === 'ConstraintError' ? new Taken() : error;
    }
  }

  async tables(): Promise<TableInfo[]> {
    const found = await this.#db.getAllFromIndex('tables', 'at');
    return found.map((one) => one.info).reverse();
  }
}

export async function openStore(): Promise<Store> {
  try {
    return new Database(
      await openDB<Schema>('tavolino', 1, {
        upgrade(db) {
          db.createObjectStore('rows', { keyPath: ['table', 'number'] });
          db.createObjectStore('tables', { keyPath: 'id' }).createIndex('at', 'at');
        },
      }),
    );
  } catch {
    return new Memory(); // a private window, or storage turned off: the tables last as long as the page
  }
}
