import { readTime, setTimeout } from '../real-time.ts';
import type { JournalEntry } from './journal-entry.ts';

type Find = (filter: object) => readonly JournalEntry[] | Promise<readonly JournalEntry[]>;

/** Time to wait for a request, in milliseconds. */
const USUAL_TIMEOUT = 5_000;

/** Time between two looks for a request in this process, in milliseconds. */
const USUAL_POLL = 10;

/** Waits for a request that `find` returns. It looks every `poll` milliseconds. @throws Error if there is none in time. */
export async function waitForRequest(find: Find, wanted: object, timeout = USUAL_TIMEOUT, poll = USUAL_POLL) {
  const end = readTime() + Number(timeout);
  for (;;) {
    const [found] = await find(wanted);
    if (found !== undefined) return found;
    // A timeout that is no number ends at once.
    if (!(readTime() < end)) {
      const [last] = await find({ limit: 1 });
      const latest = last ? `The last was ${last.method} ${last.url} (${last.status})` : 'There was no other';
      const missing = `No request that matches ${JSON.stringify(wanted)} arrived within ${timeout} ms`;
      throw new Error(`${missing}. ${latest}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(timeout, poll)));
  }
}
