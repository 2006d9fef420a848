import { once } from 'node:events';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import { findConnectionHint } from '../../common/http/find-connection-hint.ts';
import { toOneLine } from '../../common/text/harmless-text.ts';
import { redact } from '../../common/text/redact.ts';
import { Client } from '../client/client.ts';
import type { Exchange, TransportFailure } from '../client/exchange.ts';
import { NotTested } from '../client/run-errors.ts';
import { keysOf } from '../client/secrets.ts';
import type { Target } from '../client/target.ts';
import type { RequestOptions } from '../client/to-request.ts';
import { findSchemaFault } from '../rules/find-schema-fault.ts';
import { CouldNotTell } from './report.ts';

/**
 * Sends a deployment up to five requests before the run: if it does not answer, refuses the key or is another service, every
 * clause would fail.
 *
 * @param client its connection is used for the run too: a server may serve no more than one at a time
 * @returns a hint if the base URL seems to be wrong, the number of requests if the key was accepted, and what the run uses.
 * @throws CouldNotTell, without any key.
 */
export async function expectReady(target: Target, client: Client = new Client(target, { patience: 0 })) {
  const print = (text: string) => redact(toOneLine(text), keysOf(target));
  try {
    const hint = await findHint(client);
    const { sendRequest, signal, requests, isKeyAccepted } = client;
    return { hint: hint && print(hint), accepted: isKeyAccepted ? requests : 0, sendRequest, signal };
  } catch (error) {
    // The deployment may answer nothing but 429, or the run has ended.
    const isExpected = error instanceof CouldNotTell || error instanceof NotTested;
    throw isExpected ? new CouldNotTell(print(error.message)) : error;
  }
}

/** Time between two looks for a deployment that starts, in ms. */
const PAUSE = 500;

/** Waits until something answers that is no gateway without a service. Its slow first response is not part of the run. */
async function waitForAnswer(client: Client): Promise<void> {
  const { signal, target } = client;
  const end = performance.now() + target.wait;
  while (performance.now() < end) {
    const { status } = await client.probe('/pets');
    if (![0, 404, 502, 503, 504].includes(status)) return;
    await delay(PAUSE, undefined, { signal }).catch(() => {});
  }
}

async function findHint(client: Client): Promise<string | undefined> {
  await waitForAnswer(client);
  const first = await client.send({ path: '/pets' });
  const wrong = await findWrongBase(client, first);
  if (wrong !== undefined) throw new CouldNotTell(`${startOf(first)}. ${wrong}`);
  // Requests for other things may work, and then it is a finding.
  const isFinding = first.failure?.kind === 'message' && (await findService(client, first));
  const refusal = isFinding ? undefined : await findRefusal(client, first);
  if (refusal !== undefined) throw new CouldNotTell(`${first.request.base} ${refusal}`);
  if (!isFinding && !(await findService(client, first))) throw new CouldNotTell(describe(first));
  const { status } = first;
  return status === 404 || (status >= 300 && status < 400) ? describe(first) : undefined;
}

/** Looks for the service at the base URL without /pets or with /v1. @returns a sentence that names the URL to use. */
async function findWrongBase(client: Client, first: Exchange): Promise<string | undefined> {
  const { response, request } = first;
  const { base } = request;
  const isService = first.isSuccess && isOfService(first);
  if (response === undefined || isService || base.endsWith('/v1')) return undefined;
  const [others, advice] = base.endsWith('/pets')
    ? [base.replace(/\/pets$/, ''), 'Remove /pets from the base URL']
    : [`${base}/v1`, 'Add /v1 to the base URL'];
  const other = await client.send({ base: others, path: '/pets' });
  const isRefused = other.status === 401 && first.status !== 401;
  if (isOfService(other) && (other.isSuccess || isRefused)) return `${advice}: use ${others}`;
  if (response.status !== 404) return undefined;
  return `The base URL must end with /v1, such as ${new URL('/v1', base).href}`;
}

async function findRefusal(client: Client, first: Exchange): Promise<string | undefined> {
  const { response, failure, status } = first;
  const body = String(response?.body);
  const isAboutTls = status === 400 && /\b(?:HTTPS|SSL|TLS)\b/.test(body);
  if ((response === undefined || isAboutTls) && (await speaksTls(client, first)))
    return 'requires TLS. Use https in the base URL.';
  if (response === undefined) {
    const expiry = failure?.kind === 'expired certificate' ? await readExpiry(first.request.base) : undefined;
    const hint = findConnectionHint(`${failure?.reason}`);
    const reason = hint === undefined ? failure?.reason : `${failure?.reason}; ${hint}`;
    return `cannot be reached: ${expiry === undefined ? reason : `its certificate expired on ${expiry}. Renew it.`}`;
  }
  if (status === 400 && /certificate/i.test(body))
    return 'requires a client certificate. Give one with --client-cert and --client-key.';
  if (first.isPage) return undefined;
  if (status === 401) return 'refuses the API key: GET /pets returned 401. Check the key.';
  if (status !== 403) return undefined;
  return 'refuses GET /pets with 403. Check the key, or add the header that your gateway requires (--header).';
}

/** Failures of a server that speaks TLS. */
const kindsOfTls: ReadonlySet<TransportFailure['kind']> = new Set([
  'certificate',
  'expired certificate',
  'client certificate',
]);

/** Returns whether the same place answers to https. The key is not sent there. */
async function speaksTls(client: Client, first: Exchange): Promise<boolean> {
  const { base, path } = first.request;
  if (!base.startsWith('http:') || first.isUnanswered) return false;
  const request = { base: base.replace('http:', 'https:'), path, authorization: undefined };
  const { response, failure } = await client.send(request);
  return response !== undefined || (failure !== undefined && kindsOfTls.has(failure.kind));
}

/** Returns when the certificate of a server, or of its authority, expired. */
async function readExpiry(base: string): Promise<string | undefined> {
  const { hostname, port } = new URL(base);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const servername = isIP(host) === 0 ? host : '';
  const socket = connect({ host, port: Number(port || 443), servername, rejectUnauthorized: false });
  await once(socket, 'secureConnect', { signal: AbortSignal.timeout(5_000) }).catch(() => {});
  let certificate = socket.getPeerX509Certificate();
  while (certificate && certificate.validToDate > new Date()) certificate = certificate.issuerCertificate;
  socket.destroy();
  return certificate?.validToDate.toISOString();
}

async function findService(client: Client, first: Exchange): Promise<boolean> {
  // Where everything is a 404, the service may be at another base URL, whatever the 404 has as its body.
  const isFound = (one: Exchange) => isOfService(one) && (one.status !== 404 || first.status !== 404);
  if (isFound(first)) return true;
  // Other requests get the same.
  if ([401, 403].includes(first.status)) return false;
  const others: RequestOptions[] = [
    ...[{ path: '/pets', authorization: undefined }, { path: '/pets/1' }],
    // A service that has no animals may say so with 404, but refuses this.
    ...(first.status === 404 ? [{ path: '/pets?limit=0' }] : []),
    ...(wantsSlash(first) ? [{ path: '/pets/' }] : []),
  ];
  for (const other of others) if (isFound(await client.send(other))) return true;
  return false;
}

/** Returns whether a redirect only adds a slash to the path, as some frameworks do by default. */
function wantsSlash({ request, response, status }: Exchange): boolean {
  const url = request.base + request.path;
  const { href } = URL.parse(response?.headers.location ?? '', url) ?? {};
  return status >= 300 && status < 400 && href === `${url}/`;
}

/** Returns whether a response has an Error, an animal or a list, and does not come from a gateway. */
function isOfService({ json, response, failure, status, contract }: Exchange): boolean {
  const isRead = failure === undefined || failure.kind === 'message';
  // A list that is no JSON is a finding.
  const value = json ?? (isRead && /^\s*\[/.test(`${response?.body}`) ? [] : undefined);
  const isOfGateway = [502, 503, 504].includes(status);
  if (isOfGateway || value === undefined || value === null) return false;
  const holdsList = typeof value === 'object' && [value, ...Object.values(value)].some(Array.isArray);
  const names = ['Error', 'Pet'] as const;
  return holdsList || names.some((name) => findSchemaFault(name, value, contract) === undefined);
}

function startOf({ request: { base, path }, status }: Exchange): string {
  return `GET ${base}${path} returned ${status}`;
}

function describe(exchange: Exchange): string {
  const { request, status, response: { headers } = {} } = exchange;
  const start = startOf(exchange);
  const check = 'Check the base URL. It usually ends with /v1.';
  if (status >= 300 && status < 400) {
    if (wantsSlash(exchange))
      return `${start}, a redirect to the same path with a slash, which the specification does not have`;
    const { location } = headers ?? {};
    // Without its user, password, query and fragment.
    const { origin, pathname } = URL.parse(location ?? '', request.base + request.path) ?? {};
    const [, base] = /^(https?:.*)\/pets$/.exec(`${origin}${pathname}`) ?? [];
    if (base !== undefined && base !== request.base)
      return `${start}, a redirect. Use ${exchange.shorten(base)}`;
    return `${start}${location === undefined ? '' : ` with the Location ${exchange.shorten(location)}`}. ${check}`;
  }
  if (status === 404) return `${start}. ${check}`;
  if (status >= 500) return `${start}. Check the base URL, or wait for the deployment with --wait 30000.`;
  if (exchange.isPage) {
    const { title } = exchange;
    const page = title === undefined ? 'an HTML page' : `the page "${exchange.shorten(title)}"`;
    return `${start} with ${page}. Check the base URL, or add the header that your gateway requires (--header).`;
  }
  if (exchange.failure !== undefined) return `${start}, but ${exchange.failure.reason}.`;
  return `${start}, but neither a list nor an Error. Check that the base URL is of an Animal Store Service.`;
}
