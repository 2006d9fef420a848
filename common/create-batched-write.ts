import type { Writable } from 'node:stream';
import { setImmediate } from './real-time.ts';

/** How much of the log may wait to be read, in bytes, before lines are left out. */
export const MOST_UNREAD = 1024 * 1024;

/**
 * Gathers what is written in one turn of the event loop, since each write to a pipe or a terminal waits for it. While
 * nobody reads, lines are left out instead of filling the memory.
 */
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
