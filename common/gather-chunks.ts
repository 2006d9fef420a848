import type { IncomingMessage } from 'node:http';
import { setImmediate } from './real-time.ts';

/** A chunk that goes on by itself, in bytes; few of them fit into a turn. */
const LARGE = 1024;

/**
 * Hands on together the small chunks that arrive in one turn of the event loop, and reads no more of the connection in that turn.
 * Node calls back for each chunk, reads up to 2 MiB in a turn, and a chunk may be one byte: nobody else would be served
 * meanwhile. It is for a message of which nothing has been read yet; one that is not sent in chunks stays as it is.
 */
export function gatherChunks(message: IncomingMessage): void {
  if (message.headers['transfer-encoding'] === undefined) return;
  const push = message.push.bind(message);
  let gathered: Buffer[] = [];
  const flush = () => {
    const chunks = gathered;
    gathered = [];
    if (chunks.length > 0) push(Buffer.concat(chunks));
  };
  message.push = (chunk: Buffer | null) => {
    if (chunk === null) {
      flush();
      return push(null);
    }
    if (gathered.length === 0 && chunk.length >= LARGE) return push(chunk);
    if (gathered.length === 0) setImmediate(flush);
    gathered.push(chunk);
    // By this Node pauses the connection, until more is asked of the message.
    return false;
  };
}
