import { readTime } from '../real-time.ts';

/** The latest requests or violations, oldest first. Their ids go up by one, and what was removed does not come back. */
export class Latest<Entry extends { id: number; readonly time: Date }> {
  lastId = 0;
  /** Id of the oldest entry that is kept. If none is, the id of the next one. */
  oldestId = 1;
  readonly #size: number;
  /** An array would take long to drop the oldest of 100,000. */
  readonly #kept = new Map<number, Entry>();
  /** Entries of requests that arrived before this time are not added. */
  #clearTime = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Adds an entry and sets its id, unless all were removed after its request had arrived. @returns whether it was added */
  add(entry: Entry): boolean {
    if (this.#size === 0 || entry.time.getTime() < this.#clearTime) return false;
    this.lastId += 1;
    entry.id = this.lastId;
    this.#kept.set(entry.id, entry);
    if (this.#kept.size > this.#size) this.clear(this.oldestId);
    return true;
  }

  get(id: number): Entry | undefined {
    return this.#kept.get(id);
  }

  /** Returns all entries, or those after the one with this id. */
  list(after = 0): Entry[] {
    const all = [...this.#kept.values()];
    return after < this.oldestId ? all : all.slice(after - this.oldestId + 1);
  }

  /** Removes all entries, or those up to the one with this id. */
  clear(until?: number): void {
    if (until === undefined) this.#clearTime = readTime();
    const last = Math.min(until ?? this.lastId, this.lastId);
    for (; this.oldestId <= last; this.oldestId += 1) this.#kept.delete(this.oldestId);
  }
}
