import type { IncomingMessage } from 'node:http';
import { toOriginForm } from '../../common/answer-client-error.ts';
import type { ExchangeRequest, Headers } from '../exchange.ts';
import { type CarriedBody, noBody, readUpToLimit, watchBody } from './carried-body.ts';
import { decodeBody } from './decode-body.ts';
import { type RawHeaders, toHeaders } from './raw-headers.ts';

/** A request of a client that is to be carried. */
export interface ReceivedRequest extends Omit<ExchangeRequest, 'body'> {
  readonly rawHeaders: RawHeaders;
  readonly hasBody: boolean;
  /** Whether its path is the base path or beneath it. */
  readonly isBeneath: boolean;
  readonly body: CarriedBody;
  /** @returns what there is to judge; the body is undefined until all of it has passed. */
  toExchangeRequest(): ExchangeRequest;
}

/**
 * Receives a request.
 *
 * @param base the path of the upstream, beneath which the contract begins, and whether it may stand beneath
 * `/sessions/{name}` as well.
 * @param isReadFirst whether its body is read up to the limit before anything is done with it.
 * @throws what the body ended with, when it broke off.
 */
export async function receiveRequest(
  incoming: IncomingMessage,
  base: { readonly path: string; readonly hasSessions: boolean },
  isReadFirst: boolean,
): Promise<ReceivedRequest> {
  const { method = 'GET', rawHeaders } = incoming;
  const target = toOriginForm(incoming.url ?? '/');
  const headers = toHeaders(rawHeaders);
  // Source: RFC 9112 section 6.3
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  const trailers = () => incoming.rawTrailers;
  const unread = hasBody ? { ...noBody, rest: incoming, trailers } : noBody;
  // What came with the head is there when Node has parsed both.
  if (hasBody) await undefined;
  const body =
    readWhole(incoming, headers) ??
    (hasBody && isReadFirst ? await readUpToLimit(incoming, trailers) : unread);
  const readBody = watchBody(body);
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  const [session = ''] = (base.hasSessions && /^\/sessions\/[\w.-]+(?=\/)/.exec(path)) || [];
  const basePath = session + base.path;
  const told = {
    method,
    target,
    path: path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : '',
    query,
    headers,
  };
  const toExchangeRequest = () => ({ ...told, body: decodeBody(readBody(), headers) });
  return { ...told, rawHeaders, hasBody, isBeneath: isBeneath(path, basePath), body, toExchangeRequest };
}

/** Reads a body that is all there, which is less work than to hand it on piece by piece. @returns undefined when it is not */
function readWhole(incoming: IncomingMessage, headers: Headers): CarriedBody | undefined {
  if (incoming.readableLength !== Number(headers['content-length'])) return undefined;
  const bytes = incoming.read() ?? noBody.bytes;
  incoming.resume();
  return { ...noBody, bytes };
}

/** Whether a path stays beneath another in whatever way a server reads it; a segment that is read in two ways leads least down. */
function isBeneath(path: string, basePath: string): boolean {
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return false;
  if (basePath === '' || !/[.%]/.test(path)) return true;
  let depth = 0;
  return path
    .slice(basePath.length)
    .split('/')
    .every((segment) => {
      depth += countLevels(segment);
      return depth >= 0;
    });
}

/** How far a segment leads down, at least: servers may drop blanks and NUL, and what is behind `;`, `#`, `?` or NUL, and merge slashes. */
function countLevels(segment: string): number {
  const [first = [], ...others] = decodeOften(segment)
    .split(/[/\\]/)
    .map((name) =>
      [/[;#?\0].*/s, /[;#?].*/s].map((end) => name.replace(end, '').replace(/[\0-\x20\x7f]/g, '')),
    );
  const ups = [first, ...others].filter((names) => names.some((name) => /^\.{2,}$/.test(name))).length;
  return ups > 0 ? -ups : Number(first.every((name) => name !== '' && name !== '.'));
}

/** Decodes ASCII as often as servers do between them: any number of times what is before the digits, three times the rest. */
function decodeOften(segment: string): string {
  const decode = (text: string) =>
    text.replaceAll(/%(?:25)*(?:u00)?([0-7][\da-f])/gi, (_, hex) => String.fromCharCode(Number(`0x${hex}`)));
  return decode(decode(decode(segment)));
}
