import type { RecordedRequest } from './journal-entry.ts';

/** Approximate number of bytes that the journals of a mock may take together. */
export const LARGEST_JOURNALS = 67_108_864;

/** Number of bytes that are freed at a time. */
const STEP = 1_048_576;

/** Approximate number of bytes that a request takes in addition to its texts. */
const OVERHEAD = 500;

/** The memory that the journals of a mock share. */
export class JournalBudget {
  #used = 0;
  /** Requests with their sizes, and functions that drop the oldest one of their journal. Oldest first. */
  readonly #requests = new Map<RecordedRequest, { size: number; readonly dropOldest: () => void }>();
  /** Requests whose bodies were not dropped. Oldest first. */
  readonly #withBodies = new Set<RecordedRequest>();

  /** Adds a request. Beyond the budget, the oldest bodies are dropped, then the oldest requests. */
  add(request: RecordedRequest, dropOldest: () => void): void {
    const size = sizeOf(request);
    this.#used += size;
    this.#requests.set(request, { size, dropOldest });
    this.#withBodies.add(request);
    if (this.#used <= LARGEST_JOURNALS) return;
    const enough = LARGEST_JOURNALS - STEP;
    for (const oldest of this.#withBodies) {
      this.#dropBodies(oldest);
      if (this.#used <= enough) return;
    }
    for (const { dropOldest } of this.#requests.values()) {
      dropOldest();
      if (this.#used <= enough) return;
    }
  }

  remove(request: RecordedRequest): void {
    this.#used -= this.#requests.get(request)?.size ?? 0;
    this.#requests.delete(request);
    this.#withBodies.delete(request);
  }

  #dropBodies(request: RecordedRequest): void {
    const { body, answer } = request;
    const freed = lengthOfBodies(request);
    const kept = this.#requests.get(request);
    if (kept) kept.size -= freed;
    this.#used -= freed;
    this.#withBodies.delete(request);
    if (body) Object.assign(request, { body: undefined, bodyState: 'not kept' });
    if (answer?.body) request.answer = { ...answer, body: undefined, bodyState: 'not kept' };
  }
}

/** Returns the approximate number of bytes that a request takes. */
function sizeOf(request: RecordedRequest): number {
  const { url, headers, answer } = request;
  const sizeOfBoth = sizeOfHeaders(headers) + sizeOfHeaders(answer?.headers);
  return OVERHEAD + url.length + sizeOfBoth + lengthOfBodies(request);
}

function lengthOfBodies({ body, answer }: RecordedRequest): number {
  return (body?.length ?? 0) + (answer?.body?.length ?? 0);
}

function sizeOfHeaders(headers: RecordedRequest['headers'] = {}): number {
  let size = 0;
  for (const name in headers) size += name.length + String(headers[name]).length;
  return size;
}
