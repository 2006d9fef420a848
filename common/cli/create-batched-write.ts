import type { Writable } from 'node:stream';
import { setImmediate } from '../real-time.ts';

/** Maximum size of the unread log in bytes. Further lines are left out. */
export const MOST_UNREAD = 1024 * 1024;

/** Creates a function that joins the lines of one turn of the event loop, since each write to a terminal blocks. */
export function createBatchedWrite(stream: Writable): (line: string) => void {
  let pending = '';
  const flush = () => {
    if (stream.writableLength < MOST_UNREAD) stream.write(pending);
    pending = '';
  };
  return (line) => {
    if (pending === '') setImmediate(flush);
    pending += line;
  };
}
