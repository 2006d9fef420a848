import { randomBytes } from 'node:crypto';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { decodeBody, listCodings, MOST_CODINGS } from '../../common/http/decode-body.ts';
import { readBytes } from '../../common/http/read-bytes.ts';
import { findRoute, ProxyError, type Route, toTlsOptions } from '../../common/tls/connection.ts';
import { describeFailedHandshake, describeWrongHost } from '../../common/tls/describe-tls-error.ts';
import {
  isReading,
  type Sent,
  type SuiteRequest,
  type SuiteResponse,
  type TransportFailure,
  toOperation,
} from './exchange.ts';
import { suiteVersion, type Target } from './target.ts';

/** The longest body that is read, in bytes after decoding. */
export const LONGEST_BODY = 8 * 1024 * 1024;

/** Sends one request, follows no redirect, and waits for the whole response, or until the signal. */
export type SendRequest = (request: SuiteRequest, signal?: AbortSignal) => Promise<Sent>;

/** Creates a function that sends the requests of a run over HTTP, each with a trace id. Source: W3C Trace Context. It throws a TypeError for an impossible header. */
export function createSendRequest(target: Target): SendRequest {
  let connect = createConnect(target, true);
  /** Operations whose responses only a lenient parser can read. */
  const lenient = new Set<string>();
  const userAgent = createUserAgent(target);
  const send: SendRequest = async (asked, signal) => {
    const [traceId, spanId] = [16, 8].map((size) => randomBytes(size).toString('hex'));
    const own = { 'User-Agent': userAgent, traceparent: `00-${traceId}-${spanId}-01` };
    const request = { ...asked, headers: { ...own, ...asked.headers } };
    const operation = toOperation(request);
    const isLenient = lenient.has(operation);
    const { outgoing, route } = await connect(request, signal, isLenient);
    const { isStale, ...sent } = await sendOnce(outgoing, toParts(request), target.timeout, route);
    if (!isStale && sent.failure?.kind === 'message' && sent.response === undefined && !isLenient) {
      // It is sent once more, so that the finding shows the response. Other clients may read such a response.
      lenient.add(operation);
      return send(asked, signal);
    }
    if (!isStale) return { ...sent, traceId, sentHeaders: toSent(request).headers };
    // An idle connection may be closed just when it is used again. From now on each request has its own connection, so
    // that another cut is the deployment's.
    connect = createConnect(target, false);
    const again = await send(asked, signal);
    // The deployment may have received the first POST, and then restarted.
    return !isReading(asked) && again.failure?.kind === 'refused' ? sent : again;
  };
  return send;
}

/** Creates the User-Agent of the requests of a run. */
function createUserAgent({ runId }: Pick<Target, 'runId'>): string {
  return `animal-store-verify/${suiteVersion} (run ${runId})`;
}

/** Creates a function that begins a request. Each origin has its route, and an agent. */
function createConnect(target: Target, keepAlive: boolean) {
  const tls = toTlsOptions(target);
  const routes = new Map<string, Promise<Route & { readonly agent: Agent }>>();
  const findOwn = async (base: string) => {
    const route = await findRoute(base);
    return { ...route, agent: route.createAgent(keepAlive) };
  };
  return async (request: SuiteRequest, signal: AbortSignal | undefined, isLenient: boolean) => {
    const { protocol, origin, pathname } = new URL(request.base);
    const found = routes.get(origin) ?? findOwn(request.base);
    routes.set(origin, found);
    const route = await found;
    const { hostname, port, prefix, agent } = route;
    const { path, headers } = toSent(request);
    const ownAgent = request.hasOwnConnection === true ? route.createAgent(false) : agent;
    const connection = { ...tls, hostname, port, agent: ownAgent };
    const outgoing = (protocol === 'https:' ? requestHttps : requestHttp)({
      ...connection,
      method: request.method,
      insecureHTTPParser: isLenient,
      path: `${prefix}${pathname === '/' ? '' : pathname}${path}`,
      headers: { ...(prefix !== '' && { Host: new URL(origin).host }), ...route.headers, ...headers },
      ...(signal && { signal }),
    });
    return { outgoing, route };
  };
}

/** The outcome of one request, and whether its connection was closed just when it was used again. */
type SentOnce = Sent & { readonly isStale: boolean };

/** @param timeout in ms, for request and response together. */
function sendOnce(
  outgoing: ClientRequest,
  parts: readonly Buffer[],
  timeout: number,
  route: Route,
): Promise<SentOnce> {
  return new Promise((resolve) => {
    const end = (sent: Partial<SentOnce>) => {
      clearTimeout(timer);
      resolve({ response: undefined, failure: undefined, isStale: false, ...sent });
    };
    const fail = (error: NodeJS.ErrnoException) => {
      // The connection may hold the surplus of an earlier body.
      const isEarlier = ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') || isParseError(error);
      end({
        failure: toTransportFailure(route.toFailure(error)),
        isStale: outgoing.reusedSocket && isEarlier,
      });
    };
    const timer = setTimeout(() => {
      end({ failure: { kind: 'timeout', reason: `no answer within ${timeout} ms` } });
      outgoing.destroy();
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
      const failure = route.findRefusal(incoming.statusCode);
      if (failure !== undefined) return fail(failure);
      readResponse(incoming, () => surplus).then(end, fail);
    });
    // As bytes, since Node.js sends the headers before a string in the encoding of the string.
    void writeParts(outgoing, parts);
  });
}

/** Time between two parts of a body, so that a server reads one before the other arrives, in ms. */
const BETWEEN_PARTS = 10;

/**
 * Turns of the event loop in which a deployment in this process connects, accepts and reads the first part: on a busy machine the
 * time may be over before.
 */
const TURNS_OF_SERVER = 5;

async function writeParts(outgoing: ClientRequest, [first, second]: readonly Buffer[]): Promise<void> {
  if (second === undefined) {
    outgoing.end(first);
    return;
  }
  outgoing.write(first);
  await delay(BETWEEN_PARTS);
  for (let turn = 0; turn < TURNS_OF_SERVER; turn += 1) await nextTurn();
  outgoing.end(second);
}

/** Returns the bytes of the body of a request. */
export function toBytes({ body = '', encoding }: SuiteRequest): Buffer {
  return Buffer.from(body, encoding);
}

/** Returns a body in the parts in which it is sent: the first ends within a character, if one has several bytes. */
function toParts(request: SuiteRequest): readonly Buffer[] {
  const bytes = toBytes(request);
  if (request.isInTwoParts !== true) return [bytes];
  const within = bytes.findIndex(isWithinCharacter);
  const middle = within > 0 ? within : Math.floor(bytes.length / 2);
  return [bytes.subarray(0, middle), bytes.subarray(middle)];
}

/** Returns whether a byte of UTF-8 is not the first one of its character. Source: RFC 3629, section 3 */
function isWithinCharacter(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** Headers that each request has, unless its own are empty. */
const usual = new Set(['Accept', 'Accept-Encoding', 'User-Agent', 'traceparent']);

/** Returns the path and the headers of a request as HTTP carries them, without connection headers. */
export function toSent({ path, headers, body, encoding }: SuiteRequest) {
  // Values beyond Latin-1 are sent as bytes of UTF-8, as curl does.
  const toHeader = (value: string) =>
    /[^\0-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value;
  const hasLength = body !== undefined && !('Transfer-Encoding' in headers);
  const all = {
    // As curl has it, so that the commands of a report are answered in the same way.
    Accept: '*/*',
    'Accept-Encoding': 'gzip, deflate, br',
    ...(hasLength && { 'Content-Length': String(Buffer.byteLength(body, encoding)) }),
    ...headers,
  };
  const sent = Object.entries(all).filter(([name, value]) => value !== '' || !usual.has(name));
  return {
    path: path.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent),
    headers: Object.fromEntries(sent.map(([name, value]) => [name, toHeader(value)])),
  };
}

/** An error of Node's parser, with the bytes that it was given and how many of them it parsed. */
type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

function isParseError({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('HPE_');
}

/** @param findSurplus returns the bytes after the body, once it was read */
async function readResponse(incoming: IncomingMessage, findSurplus: () => Buffer | undefined): Promise<Sent> {
  const { bytes, isCut } = await readBounded(incoming);
  const { 'content-encoding': coding, 'content-length': announced } = incoming.headers;
  const decoded: ReadBody = isCut ? { bytes } : decode(bytes, coding);
  const findFailure = (): TransportFailure | undefined => {
    const whole = announced === undefined ? '' : ` of ${announced}`;
    if (announced !== undefined && incoming.headers['transfer-encoding'] !== undefined)
      return { kind: 'message', reason: 'the response has both a Content-Length and a Transfer-Encoding' };
    if (isCut) return { kind: 'body ended', reason: `the body ended after ${bytes.length}${whole} bytes` };
    if (String(findSurplus() ?? '').trim() !== '') {
      const announcement = announced === undefined ? 'announced' : `its Content-Length of ${announced} bytes`;
      return { kind: 'body', reason: `the body is longer than ${announcement}` };
    }
    return decoded.bytes.length > LONGEST_BODY ? TOO_LONG : decoded.failure;
  };
  const body = Buffer.from(decoded.bytes.subarray(0, LONGEST_BODY));
  // Of two, Node.js takes the first.
  const types = incoming.headersDistinct['content-type'];
  const headers = joinHeaders({ ...incoming.headers, ...(types && { 'content-type': types }) });
  return { response: { status: incoming.statusCode ?? 0, headers, body }, failure: findFailure() };
}

/** Joins headers: by lower-case name, each as one text. */
export function joinHeaders(headers: NodeJS.Dict<string | readonly string[]>): SuiteResponse['headers'] {
  const join = (value: string | readonly string[]) => (typeof value === 'string' ? value : value.join(', '));
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value = '']) => [name.toLowerCase(), join(value).trim()]));
}

/** Reads a little more than the longest body at most. @returns the bytes, and whether the stream was cut. */
async function readBounded(stream: Readable): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const { bytes, hasRest, error } = await readBytes(stream, (size) => size <= LONGEST_BODY);
  if (hasRest) stream.destroy();
  // The suite itself ends a run.
  if (error?.name === 'AbortError') throw error;
  return { bytes, isCut: error !== undefined };
}

const TOO_LONG: TransportFailure = {
  kind: 'body too long',
  reason: `the body was cut after ${LONGEST_BODY} bytes`,
};

/**
 * Registered codings that the suite does not ask for, so that its clients could not read such a body. Another name, such as
 * `utf-8`, is no coding: clients read the bytes as they are. Source: RFC 9110, section 12.5.3, and IANA's registry
 */
const unasked = new Set(['aes128gcm', 'compress', 'dcb', 'dcz', 'exi', 'pack200-gzip', 'x-compress', 'zstd']);

/** The codings that the suite asks for. */
const accepted: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

interface ReadBody {
  readonly bytes: Uint8Array;
  readonly failure?: TransportFailure;
}

/** Decodes a body. @returns the bytes as they are, and a failure, if the body is not in its Content-Encoding. */
function decode(bytes: Buffer, contentEncoding: string | undefined): ReadBody {
  const all = listCodings(contentEncoding);
  const fail = (reason: string): ReadBody => ({ bytes, failure: { kind: 'body', reason } });
  const other = bytes.length === 0 ? undefined : all.findLast((coding) => unasked.has(coding));
  if (other !== undefined)
    return fail(`the body is in the Content-Encoding ${other}, which the suite did not ask for`);
  const codings = all.filter((coding) => accepted.has(coding));
  const decoded = decodeBody(bytes, codings, LONGEST_BODY);
  if (decoded.problem === undefined) return { bytes: decoded.body };
  if (decoded.problem === 'too long') return { bytes, failure: TOO_LONG };
  if (decoded.problem === 'too many')
    return fail(`the body has ${codings.length} content codings, more than ${MOST_CODINGS}`);
  return fail(`the body is not in the Content-Encoding ${decoded.coding}`);
}

/** The kinds of failures by the codes of Node's errors. */
const kindsByCode: Readonly<Partial<Record<string, TransportFailure['kind']>>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'cut',
  EPIPE: 'cut',
};

/** @param error of Node, or of a forward proxy */
function toTransportFailure(error: NodeJS.ErrnoException): TransportFailure {
  const { code = '', message } = error;
  if (error instanceof ProxyError) return { kind: 'proxy', reason: message };
  const wrongHost = describeWrongHost(error);
  if (wrongHost !== undefined) return { kind: 'certificate', reason: `${wrongHost}.` };
  if (/alert/i.test(`${code} ${message}`)) {
    const advice = 'It may require a client certificate, or another one: --client-cert, --client-key.';
    return { kind: 'client certificate', reason: `the server ended the TLS handshake (${code}). ${advice}` };
  }
  if (isParseError(error)) return { kind: 'message', reason: message };
  const failedHandshake = describeFailedHandshake(error);
  if (failedHandshake !== undefined) return { kind: 'other', reason: `${failedHandshake}.` };
  if (/CERT|SIGNATURE/.test(code)) {
    const kind = code === 'CERT_HAS_EXPIRED' ? 'expired certificate' : 'certificate';
    return {
      kind,
      reason: `its certificate is not trusted (${code}). Give the certificate of its authority with --ca.`,
    };
  }
  // The error of a name with several addresses has no message.
  return { kind: kindsByCode[code] ?? 'other', reason: message || code };
}
