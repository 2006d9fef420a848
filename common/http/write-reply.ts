import type { ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

/** Writes a reply as the whole response. @param usual Headers that the reply may override. */
export function writeReply(
  response: ServerResponse,
  { status, headers, body }: Reply,
  usual: Reply['headers'] = { 'Cache-Control': 'no-store' },
): void {
  // Node leaves out the body of a response to HEAD.
  response.writeHead(status, { ...usual, ...headers }).end(body);
}
