import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { addAbortSignal, type Duplex, type Readable } from 'node:stream';
// Imported by its name, what an older Node lacks would fail before its version is checked.
import * as tls from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { lengthOfValues } from '../../common/count-values.ts';
import {
  BODY_CUT,
  BODY_ENDED,
  type Exchange,
  isRefused,
  NO_ANSWER,
  type SuiteRequest,
  type SuiteResponse,
} from './exchange.ts';
import { suiteVersion, type Target } from './target.ts';

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
  const userAgent = `animal-store-verify/${suiteVersion} (run ${target.runId})`;
  const send: SendRequest = async (asked, signal) => {
    const request = { ...asked, headers: { 'User-Agent': userAgent, ...asked.headers } };
    const { isStale, ...sent } = await sendOnce(
      createOutgoing(request, agents, signal),
      request,
      target.timeout,
    );
    if (!isStale) return sent;
    // A connection that was idle may be closed just when it is used again. From now on each request has its own, so that
    // another cut is the deployment's.
    agents = createAgents(target, false);
    const again = await send(asked, signal);
    // The deployment may have received the first POST, and then restarted.
    return asked.method !== 'GET' && isRefused(again) ? sent : again;
  };
  return send;
}

/** Creates the connections of a run; without `keepAlive` each request has one of its own. */
function createAgents({ ca, insecure }: Target, keepAlive: boolean): Agents {
  const trusted = ca && {
    secureContext: tls.createSecureContext({ ca: [...tls.getCACertificates('default'), ca] }),
  };
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
      // What stands in the connection may be the surplus of an earlier body.
      const isEarlier = ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') || isParseError(error);
      end({ failure: describeFailure(error), isStale: outgoing.reusedSocket && isEarlier });
    };
    const decoding = new AbortController();
    const timer = setTimeout(() => {
      end({ failure: `${NO_ANSWER} ${timeout} ms` });
      outgoing.destroy();
      decoding.abort();
    }, timeout);
    let hasResponse = false;
    let surplus: Buffer | undefined;
    outgoing.on('error', (error: ParseError) => {
      // A deployment may answer and cut the connection before it has read the whole request.
      if (!hasResponse) fail(error);
      else if (isParseError(error)) surplus = error.rawPacket?.subarray(error.bytesParsed);
    });
    outgoing.on('response', (incoming) => {
      hasResponse = true;
      readResponse(incoming, () => surplus, decoding.signal).then(end, fail);
    });
    // As bytes, since Node.js sends the headers before a text in the encoding of the text.
    outgoing.end(body && Buffer.from(body));
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
      'Accept-Encoding': 'gzip, deflate, br',
      ...(body === undefined || 'Transfer-Encoding' in headers
        ? {}
        : { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...toBytes(headers),
    },
  };
}

/** Headers with characters beyond Latin-1 as bytes of UTF-8, which is also what curl sends. */
function toBytes(headers: SuiteRequest['headers']): SuiteRequest['headers'] {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    /[^\0-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value,
  ]);
  return Object.fromEntries(entries);
}

/** An error of Node's parser, with the bytes that it was given and how many of them it understood. */
type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

function isParseError({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('HPE_');
}

/**
 * Reads a response as far as it comes.
 *
 * @param findSurplus gives what came after its body, once it was read.
 * @param signal ends the decoding.
 */
async function readResponse(
  incoming: IncomingMessage,
  findSurplus: () => Buffer | undefined,
  signal: AbortSignal,
): Promise<Pick<Sent, 'response' | 'failure'>> {
  const received = await readBounded(incoming);
  const codings = (incoming.headers['content-encoding'] ?? '').toLowerCase().split(',');
  const { bytes, fault } = await decode(received.bytes, codings, signal);
  const kept = bytes.subarray(0, LONGEST_BODY);
  const response: SuiteResponse = {
    status: incoming.statusCode ?? 0,
    headers: joinHeaders(incoming.headers),
    body: kept.subarray(0, lengthOfValues(kept, MOST_VALUES)),
  };
  const said = incoming.headers['content-length'];
  const isMore = String(findSurplus() ?? '').trim() !== '';
  const limits = `at most ${LONGEST_BODY} bytes and ${MOST_VALUES} JSON values are read`;
  const faults: readonly (readonly [isFault: boolean, failure: string | undefined])[] = [
    [
      received.isCut,
      `${BODY_ENDED} ${received.bytes.length}${said === undefined ? '' : ` of ${said}`} bytes`,
    ],
    [isMore, `the body has more than the ${said ?? 0} bytes that were announced`],
    [bytes.length > response.body.length, `${BODY_CUT} ${response.body.length} bytes: ${limits}`],
    [fault !== undefined, fault],
  ];
  return { response, failure: faults.find(([isFault]) => isFault)?.[1] };
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

/** Reads a little more than the longest body at most. @returns what came, and whether it ended before its end. */
async function readBounded(stream: Readable): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  let isCut = false;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > LONGEST_BODY) break;
    }
  } catch (error) {
    // The end of the run is not the deployment's.
    if ((error as Error).name === 'AbortError') throw error;
    isCut = true;
  }
  return { bytes: Buffer.concat(chunks), isCut };
}

/** The most content codings that are decoded: each takes time, and a header has room for thousands. */
export const MOST_CODINGS = 3;

/** How a body of zlib begins, with the method in the lower half of its first byte; some send deflate without it. */
const DEFLATE = 8;

/** Creates what decodes a content coding. Source: RFC 9110, section 8.4.1 */
const decoders: Readonly<Record<string, (bytes: Buffer) => Duplex>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: ([first = 0]) => ((first & 0x0f) === DEFLATE ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
};

/** Decodes a body. @returns bytes that are not in the coding they are said to be in as they are, and that they are not. */
async function decode(
  bytes: Buffer,
  codings: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly bytes: Buffer; readonly fault?: string }> {
  if (codings.length > MOST_CODINGS) {
    const fault = `the body has ${codings.length} content codings, and at most ${MOST_CODINGS} are decoded`;
    return { bytes, fault };
  }
  let decoded = bytes;
  for (const coding of codings.toReversed()) {
    const decoder = decoders[coding.trim()]?.(decoded);
    if (decoder === undefined || decoded.length === 0) continue;
    decoder.end(decoded);
    const { bytes: part, isCut } = await readBounded(addAbortSignal(signal, decoder));
    if (isCut) return { bytes, fault: `the body is not in the Content-Encoding ${coding.trim()}` };
    decoded = part;
  }
  return { bytes: decoded };
}

function describeFailure({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'EPROTO') return 'it does not speak TLS, or not this one: is its URL one of http?';
  if (/CERT|SIGNATURE/.test(code)) return `its certificate is not trusted (${code}): see --ca and --insecure`;
  // The error of a name with several addresses has no message.
  return message || code;
}
