/** The memory of a game's module: named room for what goes in and comes out, and the calls themselves. */
type Call = (...values: (number | bigint)[]) => number | bigint | void;
type Kernel =
  | 'deal'
  | 'start'
  | 'apply'
  | 'chance'
  | 'scores'
  | 'redeal'
  | 'replay'
  | 'random_games'
  | 'policy_move'
  | 'search'
  | 'search_roots'
  | 'best_lines'
  | 'try_lines'
  | 'judge_lines'
  | 'begin'
  | 'next_slice'
  | 'end_round'
  | 'alive_lines'
  | 'hear'
  | 'rank'
  | 'favourite'
  | 'reserve';

type Exports = Record<Kernel, Call> & { memory: WebAssembly.Memory };

/** Where something lies in the module's memory, and how many bytes there are. */
export type Room = { at: number; size: number };

export class Memory {
  /** Whether a call has trapped: then nothing in here can be trusted. */
  broken = false;
  readonly #exports: Exports;
  readonly #rooms = new Map<string, Room>();

  constructor(instance: WebAssembly.Instance) {
    this.#exports = instance.exports as Exports;
  }

  get buffer(): ArrayBuffer {
    return this.#exports.memory.buffer; // another one whenever it grows
  }

  call(name: Kernel, ...values: (number | bigint)[]): number | bigint | void {
    if (this.broken) throw new Error('this engine is broken: open a new one');
    try {
      return this.#exports[name](...values);
    } catch (error) {
      this.broken ||= error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
      throw error;
    }
  }

  /** Room under a name, as it was left. */
  room(name: string, size: number): Room {
    let room = this.#rooms.get(name);
    if (!room || room.size < size) {
      room = { at: Number(this.call('reserve', Math.max(size, 8))), size };
      this.#rooms.set(name, room);
    }
    return room;
  }

  bytes({ at, size }: Room): Uint8Array {
    return new Uint8Array(this.buffer, at, size);
  }

  put(name: string, bytes: Uint8Array): Room {
    const room = this.room(name, bytes.byteLength);
    new Uint8Array(this.buffer, room.at, bytes.byteLength).set(bytes);
    return room;
  }

  /** Whole numbers, each in 8 bytes. */
  ints(name: string, values: (number | bigint)[]): Room {
    return this.put(name, bytesOf(BigInt64Array.from(values, BigInt)));
  }
}

export const bytesOf = (typed: ArrayBufferView): Uint8Array => new Uint8Array(typed.buffer, typed.byteOffset, typed.byteLength);
