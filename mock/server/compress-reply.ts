import { gzipSync } from 'node:zlib';
import type { WrittenReply } from '../../common/http/write-reply.ts';
import type { HttpContext } from './http-context.ts';

/** Compresses a reply with gzip, without its Content-Length, if the behaviour does and the client accepts it. */
export function compressReply(context: HttpContext, reply: WrittenReply): WrittenReply {
  const { session, headers, method, responseHeaders } = context;
  const isMeant = session.behaviour.compression === 'gzip' && reply.body.length > 0 && method !== 'HEAD';
  if (!isMeant || !acceptsGzip(headers['accept-encoding'])) return reply;
  session.noteActed('compression');
  const { 'Content-Length': _length, ...kept } = reply.headers;
  const varies = [kept.Vary ?? responseHeaders.Vary, 'Accept-Encoding'];
  const Vary = varies.filter((name) => name !== undefined).join(', ');
  return { ...reply, headers: { ...kept, Vary, 'Content-Encoding': 'gzip' }, body: gzipSync(reply.body) };
}

/** Source: RFC 9110 section 12.5.3 */
function acceptsGzip(acceptEncoding = ''): boolean {
  return /(?:^|,)\s*(?:x-)?gzip\s*(?:;\s*q=(?:1|0?\.0*[1-9])[\d.]*\s*)?(?:,|$)/i.test(acceptEncoding);
}
