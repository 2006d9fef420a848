import type { RecordedRequest } from './journal-entry.ts';

/** Approximate number of bytes that the journals of a mock may take together. */
export const LARGEST_JOURNALS = 64 * 1024 * 1024;

/** Number of bytes that are freed at once beyond the budget, so that not every request drops others. */
const STEP = 1024 * 1024;

/** Approximate number of bytes that a request takes in addition to its texts. */
const OVERHEAD = 500;

/** A request that a journal keeps. */
interface Kept {
  /** Approximate number of bytes. */
  size: number;
  /** Drops the oldest request of its journal. */
  readonly dropOldest: () => void;
}

export class JournalBudget {
  #used = 0;
  /** Oldest first. */
  readonly #requests = new Map<RecordedRequest, Kept>();
  readonly #withBodies = new Set<RecordedRequest>();

  /** Adds a request. Beyond the budget, the oldest bodies are dropped, then the oldest requests. */
  add(request: RecordedRequest, dropOldest: () => void): void {
    const size = sizeOf(request);
    this.#used += size;
    this.#requests.set(request, { size, dropOldest });
    this.#withBodies.add(request);
    this.#shrink();
  }

  /** Counts a request again, because its body or its response was added. */
  update(request: RecordedRequest): void {
    const kept = this.#requests.get(request);
    if (kept === undefined) return;
    this.#recount(request, kept);
    this.#withBodies.add(request);
    this.#shrink();
  }

  remove(request: RecordedRequest): void {
    this.#used -= this.#requests.get(request)?.size ?? 0;
    this.#requests.delete(request);
    this.#withBodies.delete(request);
  }

  #shrink(): void {
    if (this.#used <= LARGEST_JOURNALS) return;
    for (const oldest of this.#withBodies) if (this.#isAbove()) this.#dropBodies(oldest);
    for (const { dropOldest } of this.#requests.values()) if (this.#isAbove()) dropOldest();
  }

  #isAbove(): boolean {
    return this.#used > LARGEST_JOURNALS - STEP;
  }

  #dropBodies(request: RecordedRequest): void {
    const { body, answer } = request;
    const kept = this.#requests.get(request);
    if (body) Object.assign(request, { body: undefined, bodyState: 'not kept' });
    if (answer?.body) request.answer = { ...answer, body: undefined, bodyState: 'not kept' };
    this.#withBodies.delete(request);
    if (kept !== undefined) this.#recount(request, kept);
  }

  #recount(request: RecordedRequest, kept: Kept): void {
    this.#used -= kept.size;
    kept.size = sizeOf(request);
    this.#used += kept.size;
  }
}

function sizeOf({ url, headers, body = '', answer }: RecordedRequest): number {
  const texts = url.length + body.length + (answer?.body?.length ?? 0);
  return OVERHEAD + texts + sizeOfHeaders(headers) + sizeOfHeaders(answer?.headers);
}

function sizeOfHeaders(headers: RecordedRequest['headers'] = {}): number {
  let size = 0;
  for (const name in headers) size += name.length + String(headers[name]).length;
  return size;
}
