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
 * @param basePath that of the upstream, beneath which the contract begins.
 * @param isReadFirst whether its body is read up to the limit before anything is done with it.
 * @throws what the body ended with, when it broke off.
 */
export async function receiveRequest(
  incoming: IncomingMessage,
  basePath: string,
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

/** Whether a path is beneath another, also for a server that decodes slashes or drops `;parameters` before dot segments. */
function isBeneath(path: string, basePath: string): boolean {
  const separated = path.replaceAll(/%2f|%5c/gi, '/').replaceAll(/;[^/]*/g, '');
  const readings = /[.%\\]/.test(path) ? [path, resolveDots(path), resolveDots(separated)] : [path];
  return readings.every((one) => one === basePath || one.startsWith(`${basePath}/`));
}

function resolveDots(path: string): string {
  return URL.parse(`http://x${path}`)?.pathname ?? '';
}
