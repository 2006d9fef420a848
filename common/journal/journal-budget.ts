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
  readonly #requests = new Map<RecordedRequest, { readonly size: number; readonly dropOldest: () => void }>();

  /** Adds a request. Beyond the budget, the oldest requests are dropped. */
  add(request: RecordedRequest, dropOldest: () => void): void {
    const size = sizeOf(request);
    this.#used += size;
    this.#requests.set(request, { size, dropOldest });
    if (this.#used <= LARGEST_JOURNALS) return;
    for (const oldest of this.#requests.values()) {
      oldest.dropOldest();
      if (this.#used <= LARGEST_JOURNALS - STEP) return;
    }
  }

  remove(request: RecordedRequest): void {
    this.#used -= this.#requests.get(request)?.size ?? 0;
    this.#requests.delete(request);
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
