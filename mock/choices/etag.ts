import { printAnswer } from '../service/print-answer.ts';
import { type Choice, ENDPOINTS } from './choice.ts';

export const etag = {
  about: 'ETag on a 200 of GET, with a 304 to the same `If-None-Match`.',
  silentAt: ENDPOINTS,
  values: [
    { value: 'none', does: 'sends none' },
    {
      value: 'all',
      does: 'sends a weak one, and 304',
      // Source: RFC 9110 section 13.1.2
      reply: (answer, ask) => {
        if (answer.status !== 200) return answer;
        const ETag = createETag(printAnswer(answer).body);
        if (!isKnown(ETag, ask.headers['if-none-match']))
          return { ...answer, headers: { ...answer.headers, ETag } };
        const { 'Content-Type': _, ...kept } = answer.headers;
        return { status: 304, headers: { ...kept, ETag } };
      },
    },
  ],
} as const satisfies Choice;

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
