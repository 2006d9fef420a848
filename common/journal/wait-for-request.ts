import { readTime, setTimeout } from '../real-time.ts';
import type { JournalEntry } from './journal-entry.ts';

type Find = (filter: object) => readonly JournalEntry[] | Promise<readonly JournalEntry[]>;

/** Waits for a request that `find` returns. It looks every `poll` milliseconds. @throws Error if there is none in time. */
export async function waitForRequest(find: Find, wanted: object, timeout = 5_000, poll = 10) {
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
