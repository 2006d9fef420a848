import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { toOneLine } from '../common/harmless-text.ts';
import { type Client, createClient } from './core/client.ts';
import { hasValidKey } from './core/create-key-check.ts';
import {
  cutShortened,
  type Exchange,
  isPage,
  isSuccess,
  isUnanswered,
  readJson,
  shorten,
} from './core/exchange.ts';
import { findSchemaFault } from './core/find-schema-fault.ts';
import { hideKeys } from './core/hide-keys.ts';
import { Skipped } from './core/result.ts';
import type { SendRequest } from './core/send-request.ts';
import type { Target } from './core/target.ts';
import { CouldNotTell } from './report.ts';

/** Result of the requests before the run. */
export interface Readiness {
  readonly hint: string | undefined;
  /** Number of requests so far, if the key was accepted; otherwise 0. */
  readonly accepted: number;
}

/**
 * Asks a deployment up to four times: without an answer, with a key that is refused, or where something else answers, every
 * clause would fail and none would tell anything.
 *
 * @returns a hint if the base URL seems to be wrong, and the number of requests if the key was accepted.
 * @throws CouldNotTell, without any key.
 */
export async function expectReady(
  target: Target,
  sendRequest?: SendRequest,
  signal?: AbortSignal,
): Promise<Readiness> {
  const tell = (text: string) => cutShortened(hideKeys(toOneLine(text), target));
  try {
    const client = createClient(target, sendRequest, signal, { patience: 0 });
    const hint = await findHint(client);
    const isAccepted = client.journal.some(
      (exchange) => isSuccess(exchange) && hasValidKey(exchange, target),
    );
    return { hint: hint && tell(hint), accepted: isAccepted ? client.countRequests() : 0 };
  } catch (error) {
    // It may answer nothing but 429, or the run has ended.
    const isTold = error instanceof CouldNotTell || error instanceof Skipped;
    throw isTold ? new CouldNotTell(tell(error.message)) : error;
  }
}

async function findHint(client: Client): Promise<string | undefined> {
  const first = await client.send({ path: '/pets' });
  const wrong = await findWrongBase(client, first);
  if (wrong !== undefined) throw new CouldNotTell(`${startOf(first)}: ${wrong}`);
  const refusal = await findRefusal(client, first);
  if (refusal !== undefined) throw new CouldNotTell(`${first.request.base} ${refusal}`);
  if (!(await findService(client, first))) throw new CouldNotTell(describe(first));
  const { status = 0 } = first.response ?? {};
  return status === 404 || (status >= 300 && status < 400) ? describe(first) : undefined;
}

/** Looks for the service at the base URL without /pets or with /v1. @returns a sentence that names the URL to use. */
async function findWrongBase(client: Client, first: Exchange): Promise<string | undefined> {
  const { response, request } = first;
  const { base } = request;
  const isService = isSuccess(first) && isOfService(first);
  if (response === undefined || isService || base.endsWith('/v1')) return undefined;
  const [others, advice] = base.endsWith('/pets')
    ? [base.replace(/\/pets$/, ''), 'leave out /pets']
    : [`${base}/v1`, '/v1 is missing'];
  const other = await client.send({ base: others, path: '/pets' });
  const isRefused = other.response?.status === 401 && response.status !== 401;
  if (isOfService(other) && (isSuccess(other) || isRefused)) return `${advice}, use ${others}`;
  // The base address ends with /v1.
  return response.status === 404
    ? `the base URL must end with /v1, such as ${new URL('/v1', base).href}`
    : undefined;
}

/** Finds why the first request tells all: there is no answer, or the key is refused. */
async function findRefusal(client: Client, first: Exchange): Promise<string | undefined> {
  const { response, failure } = first;
  if (response === undefined) {
    if (await speaksTls(client, first)) return WANTS_TLS;
    const expiry = failure?.includes('CERT_HAS_EXPIRED') ? await readExpiry(first.request.base) : undefined;
    return `cannot be reached: ${expiry === undefined ? failure : `its certificate expired on ${expiry}: see --insecure`}`;
  }
  const { status, body } = response;
  const isAboutTls = status === 400 && /\b(?:HTTPS|SSL|TLS)\b/.test(String(body));
  if (isAboutTls && (await speaksTls(client, first))) return WANTS_TLS;
  if (isPage(first)) return undefined;
  if (status === 401) return 'refuses the API key: GET /pets with it is answered 401';
  return status === 403
    ? 'refuses GET /pets with 403: does a gateway want a header (--header), or is the key not for this?'
    : undefined;
}

/** How long a certificate may take to arrive, in milliseconds. */
const PATIENCE = 5_000;

const WANTS_TLS = 'speaks TLS: its URL is one of https';

/** Whether the same place answers to https. The key is not sent there. */
async function speaksTls(client: Client, first: Exchange): Promise<boolean> {
  const { base, path } = first.request;
  if (!base.startsWith('http:') || isUnanswered(first)) return false;
  const request = { base: base.replace('http:', 'https:'), path, authorization: undefined };
  const { response, failure = '' } = await client.send(request);
  return response !== undefined || failure.includes('certificate');
}

/** Returns when the certificate of a server, or of its authority, expired. It sends no request there. */
async function readExpiry(base: string): Promise<string | undefined> {
  const { hostname, port } = new URL(base);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const servername = isIP(host) === 0 ? host : '';
  const socket = connect({ host, port: Number(port || 443), servername, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(PATIENCE) });
    let certificate = socket.getPeerX509Certificate();
    while (certificate && certificate.validToDate > new Date()) certificate = certificate.issuerCertificate;
    return certificate?.validToDate.toISOString();
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** Whether the service answers, though perhaps not with a list: some of its errors or an animal would show it. */
async function findService(client: Client, first: Exchange): Promise<boolean> {
  if (isOfService(first)) return true;
  // Nobody gets further without signing in.
  if ([401, 403].includes(first.response?.status ?? 0)) return false;
  const unauthorized = await client.send({ path: '/pets', authorization: undefined });
  return isOfService(unauthorized) || isOfService(await client.send({ path: '/pets/1' }));
}

/** Whether an answer can only come from the service: it has an Error, animals, or a list, and is not that of a gateway. */
function isOfService(exchange: Exchange): boolean {
  const value = readJson(exchange);
  const isOfGateway = [502, 503, 504].includes(exchange.response?.status ?? 503);
  if (isOfGateway || value === undefined || value === null) return false;
  const holdsList = typeof value === 'object' && [value, ...Object.values(value)].some(Array.isArray);
  return holdsList || (['Error', 'Pet'] as const).some((name) => findSchemaFault(name, value) === undefined);
}

/** Returns the beginning of a sentence about an exchange. */
function startOf({ request: { base, path }, response }: Exchange): string {
  return `GET ${base}${path} is answered ${response?.status}`;
}

/** Says in a sentence what came in the place of a list, and what to do. */
function describe(exchange: Exchange): string {
  const { request, response } = exchange;
  const { status = 0, headers = {}, body = '' } = response ?? {};
  const start = startOf(exchange);
  const complete = 'is the base URL complete? It ends with /v1 as a rule.';
  if (status >= 300 && status < 400) {
    const { location } = headers;
    // Without its user, password, query and fragment.
    const { origin, pathname } = URL.parse(location ?? '', request.base + request.path) ?? {};
    const [, base] = /^(https?:.*)\/pets$/.exec(`${origin}${pathname}`) ?? [];
    if (base !== undefined && base !== request.base) return `${start}, a redirect: use ${shorten(base)}`;
    return `${start}${location === undefined ? '' : ` with the Location ${shorten(location)}`}: ${complete}`;
  }
  if (status === 404) return `${start}: ${complete}`;
  if (status >= 500) return `${start}: the service cannot be used now, or this is not its base URL.`;
  if (isPage(exchange)) {
    const [, title] = /<title[^>]*>\s*(.*?)\s*<\/title/is.exec(String(body)) ?? [];
    const page = title === undefined ? 'a page of HTML' : `the page "${shorten(title)}"`;
    return `${start} with ${page}: must one sign in first, does a gateway want a header (--header), or is the base URL wrong?`;
  }
  return `${start}, but with neither a list nor an Error: is it the base URL of an Animal Store Service?`;
}
