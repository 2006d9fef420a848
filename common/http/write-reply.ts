import type { ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

const noStore: Reply['headers'] = { 'Cache-Control': 'no-store' };

/** Writes a reply as the whole response. @param usual Headers that the reply may override. */
export function writeReply(response: ServerResponse, reply: Reply, usual = noStore): void {
  // Node leaves out the body of a response to HEAD.
  response.writeHead(reply.status, { ...usual, ...reply.headers }).end(reply.body);
}

/** Sends the first part of a body, and closes the connection. */
export function endEarly(response: ServerResponse, part: string | Uint8Array): void {
  // A response to HEAD has no body, whose first part would send them.
  response.flushHeaders();
  // Without a reset, which could overtake what was sent.
  response.write(part, () => response.socket?.destroySoon());
}
