import type { Reply } from '../../common/http/reply.ts';
import type { Context } from './context.ts';

/**
 * Adds an ETag to the 200 of an operation that reads, as the behaviour requires. A client that has the same one gets a 304.
 * Source: RFC 9110 section 13.1.2
 */
export function addETag({ method, headers, operation, session }: Context, reply: Reply): Reply {
  const isRead = method === 'GET' || method === 'HEAD';
  if (session.behaviour.etag !== 'all' || operation === undefined || !isRead || reply.status !== 200)
    return reply;
  session.noteActed('etag');
  const ETag = createETag(reply.body);
  if (!isKnown(ETag, headers['if-none-match'])) return { ...reply, headers: { ...reply.headers, ETag } };
  const { 'Content-Type': _type, 'Content-Length': _length, ...kept } = reply.headers;
  return { status: 304, headers: { ...kept, ETag }, body: '' };
}

/** Creates a weak ETag from the length and two hashes of a body, as Express has it with another hash, which a page lacks. */
function createETag(body: string): string {
  const hashes = STARTS.map((start) => hash(body, start).toString(16));
  return `W/"${body.length.toString(16)}-${hashes.join('')}"`;
}

/** Two bodies of the same length hardly have both hashes in common. The first one is the usual offset of FNV-1a. */
const STARTS = [0x811c9dc5, 0x9e3779b9];
const FNV_PRIME = 0x01000193;

function hash(text: string, start: number): number {
  let mixed = start;
  for (let index = 0; index < text.length; index += 1)
    mixed = Math.imul(mixed ^ text.charCodeAt(index), FNV_PRIME);
  return mixed >>> 0;
}

/** Returns whether If-None-Match has an ETag, by weak comparison. Source: RFC 9110 section 8.8.3.2 */
function isKnown(tag: string, ifNoneMatch = ''): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const toOpaque = (one: string) => one.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').map(toOpaque).includes(toOpaque(tag));
}
