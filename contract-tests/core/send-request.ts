import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import { createSecureContext, getCACertificates } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { lengthOfValues } from '../../common/count-values.ts';
import { type Exchange, NO_ANSWER, type SuiteRequest, type SuiteResponse } from './exchange.ts';
import type { Target } from './target.ts';

/** The connections of a run, by the protocol of a URL. */
type Agents = Readonly<Record<string, HttpAgent>>;

/** The longest body that is read, in bytes once decoded. */
export const LONGEST_BODY = 8 * 1024 * 1024;

/** The most JSON values of a body that are read: far more than any list of 100 animals has. */
export const MOST_VALUES = 200_000;

/** Sends one request, follows no redirect, and waits for the whole response, or until the signal. */
export type SendRequest = (
  request: SuiteRequest,
  signal?: AbortSignal,
) => Promise<Pick<Exchange, 'response' | 'failure'>>;

/** Creates what sends the requests of a run over HTTP. It throws a TypeError for a header that HTTP cannot carry. */
export function createSendRequest(target: Target): SendRequest {
  let agents = createAgents(target, true);
  const send: SendRequest = async (request, signal) => {
    const { isStale, ...sent } = await sendOnce(
      createOutgoing(request, agents, signal),
      request,
      target.timeout,
    );
    if (!isStale) return sent;
    // A connection that was idle may be closed just when it is used again. From now on each request has its own, so that
    // another cut is the deployment's.
    agents = createAgents(target, false);
    return send(request, signal);
  };
  return send;
}

/** Creates the connections of a run; without `keepAlive` each request has one of its own. */
function createAgents({ ca, insecure }: Target, keepAlive: boolean): Agents {
  const trusted = ca && { secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) };
  return {
    'http:': new HttpAgent({ keepAlive }),
    'https:': new HttpsAgent({ keepAlive, rejectUnauthorized: !insecure, ...trusted }),
  };
}

/** What came of one request, and whether it went to a connection that was closed just when it was used again. */
type Sent = Pick<Exchange, 'response' | 'failure'> & { readonly isStale: boolean };

/** @param timeout in milliseconds, for request and response together. */
function sendOnce(outgoing: ClientRequest, { body }: SuiteRequest, timeout: number): Promise<Sent> {
  return new Promise((resolve) => {
    const end = (sent: Partial<Sent>) => {
      clearTimeout(timer);
      resolve({ response: undefined, failure: undefined, isStale: false, ...sent });
    };
    const fail = (error: NodeJS.ErrnoException) => {
      const isReset = ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
      end({ failure: describeFailure(error), isStale: outgoing.reusedSocket && isReset });
    };
    const timer = setTimeout(() => {
      end({ failure: `${NO_ANSWER} ${timeout} ms` });
      outgoing.destroy();
    }, timeout);
    let hasResponse = false;
    // A deployment may answer and cut the connection before it has read the whole request.
    outgoing.on('error', (error) => hasResponse || fail(error));
    outgoing.on('response', (incoming) => {
      hasResponse = true;
      readResponse(incoming).then(end, fail);
    });
    outgoing.end(body);
  });
}

function createOutgoing(request: SuiteRequest, agents: Agents, signal?: AbortSignal): ClientRequest {
  const { protocol, hostname, port, pathname } = new URL(request.base);
  const { path, headers } = toSent(request);
  return (protocol === 'https:' ? requestHttps : requestHttp)({
    method: request.method,
    // An IPv6 address is in brackets in a URL alone.
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    path: `${pathname === '/' ? '' : pathname}${path}`,
    agent: agents[protocol],
    headers,
    ...(signal && { signal }),
  });
}

/** The path and the headers of a request as they go over HTTP, but for headers of the connection. */
export function toSent({ path, headers, body }: SuiteRequest) {
  return {
    // As the clause has it, but for what HTTP cannot carry.
    path: path.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent),
    headers: {
      // Some gateways refuse a client that does not name itself.
      'User-Agent': 'animal-store-verify',
      'Accept-Encoding': 'gzip, deflate, br',
      ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  };
}

async function readResponse(incoming: IncomingMessage): Promise<Pick<Sent, 'response' | 'failure'>> {
  const bytes = await decode(await readBounded(incoming), incoming.headers['content-encoding'] ?? '');
  const kept = bytes.subarray(0, LONGEST_BODY);
  const response: SuiteResponse = {
    status: incoming.statusCode ?? 0,
    headers: joinHeaders(incoming.headers),
    body: kept.subarray(0, lengthOfValues(kept, MOST_VALUES)),
  };
  const isCut = bytes.length > response.body.length;
  const limits = `at most ${LONGEST_BODY} bytes and ${MOST_VALUES} JSON values are read`;
  const failure = isCut ? `the body was cut after ${response.body.length} bytes: ${limits}` : undefined;
  return { response, failure };
}

/** Headers as they arrive: by lower-case name, each as one text. */
export function joinHeaders(headers: NodeJS.Dict<string | readonly string[]>): SuiteResponse['headers'] {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.map(([name, value = '']) => [
      name.toLowerCase(),
      (typeof value === 'string' ? value : value.join(', ')).trim(),
    ]),
  );
}

/** Reads a little more than the longest body at most. */
async function readBounded(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > LONGEST_BODY) break;
  }
  return Buffer.concat(chunks);
}

/** How a body of zlib begins, with the method in the lower half of its first byte; some send deflate without it. */
const DEFLATE = 8;

/** Creates what decodes a content coding. Source: RFC 9110, section 8.4.1 */
const decoders: Readonly<Record<string, (bytes: Buffer) => Duplex>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: ([first = 0]) => ((first & 0x0f) === DEFLATE ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
};

/** Decodes a body; bytes that are not in the coding they are said to be in stay as they are, and are judged so. */
async function decode(bytes: Buffer, codings: string): Promise<Buffer> {
  let decoded = bytes;
  for (const coding of codings.toLowerCase().split(',').reverse()) {
    const decoder = decoders[coding.trim()]?.(decoded);
    if (decoder === undefined || decoded.length === 0) continue;
    decoder.end(decoded);
    try {
      decoded = await readBounded(decoder);
    } catch {
      return bytes;
    }
  }
  return decoded;
}

function describeFailure({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'EPROTO') return 'it does not speak TLS, or not this one: is its URL one of http?';
  if (/CERT|SIGNATURE/.test(code)) return `its certificate is not trusted (${code}): see --ca and --insecure`;
  // The error of a name with several addresses has no message.
  return message || code;
}
