import type { ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

/** Writes a reply as the whole response; Node leaves the body of an answer to HEAD out by itself. */
export function writeReply(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
