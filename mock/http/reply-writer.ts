import type { ServerResponse } from 'node:http';
import type { Reply } from '../api/reply.ts';

/** Writes a reply as the whole response. */
export type WriteReply = (response: ServerResponse, reply: Reply) => void;

/** Returns the function that writes replies, with `usualHeaders` on every one. */
export function createReplyWriter(usualHeaders: Reply['headers']): WriteReply {
  return (response, { status, headers, body }) => {
    response.writeHead(status, { ...usualHeaders, ...headers });
    // Node leaves the body of an answer to HEAD out by itself.
    response.end(body);
  };
}
