import type { RecordedRequest } from './journal-entry.ts';

/** Approximate number of bytes that the journals of a mock may take together. */
export const LARGEST_JOURNALS = 67_108_864;

const STEP = 1_048_576;

/** Approximate number of bytes that a request takes in addition to its texts. */
const OVERHEAD = 500;

/** The memory that the journals of a mock share. */
export class JournalBudget {
  #used = 0;
  /** Requests with functions that drop the oldest request of their journal. Oldest first. */
  readonly #requests = new Map<RecordedRequest, () => void>();
  /** Requests that have their bodies. Oldest first. */
  readonly #withBodies = new Set<RecordedRequest>();

  /** Adds a request. Beyond the budget, the oldest bodies are dropped, then the oldest requests. */
  add(request: RecordedRequest, dropOldest: () => void): void {
    this.#used += sizeOf(request);
    this.#requests.set(request, dropOldest);
    this.#withBodies.add(request);
    if (this.#used <= LARGEST_JOURNALS) return;
    for (const oldest of this.#withBodies) if (this.#isAbove()) this.#dropBodies(oldest);
    for (const dropOldest of this.#requests.values()) if (this.#isAbove()) dropOldest();
  }

  remove(request: RecordedRequest): void {
    this.#used -= sizeOf(request);
    this.#requests.delete(request);
    this.#withBodies.delete(request);
  }

  #isAbove(): boolean {
    return this.#used > LARGEST_JOURNALS - STEP;
  }

  #dropBodies(request: RecordedRequest): void {
    const { body, answer } = request;
    this.#used -= sizeOf(request);
    if (body) Object.assign(request, { body: undefined, bodyState: 'not kept' });
    if (answer?.body) request.answer = { ...answer, body: undefined, bodyState: 'not kept' };
    this.#used += sizeOf(request);
    this.#withBodies.delete(request);
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
