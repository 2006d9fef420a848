import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates } from 'node:tls';
import supertest, { type Response, type Test } from 'supertest';
import type { Exchange, SuiteRequest, SuiteResponse } from './exchange.ts';
import { Skipped } from './result.ts';
import { LONGEST_WAIT, readRetryAfter, TOO_MANY_REQUESTS } from './retry-after.ts';
import type { Target } from './target.ts';

/** A request as a check asks for it. */
export interface RequestOptions {
  readonly method?: 'GET' | 'POST';
  /** @default the base URL of the target */
  readonly base?: string;
  readonly path: string;
  /** Undefined leaves the header out. @default the key of the target, as a bearer token */
  readonly authorization?: string | undefined;
  readonly body?: string;
  /** @default application/json, where there is a body */
  readonly mediaType?: string;
  /** Besides those of the target. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes requests to a deployment and keeps every exchange. */
export interface Client {
  /**
   * @throws Skipped when the deployment answers nothing but 429, which says nothing of any clause, and once it answers
   * nothing any more.
   */
  send(request: RequestOptions): Promise<Exchange>;
  /** Every exchange so far, in order, those that were answered 429 among them. */
  readonly journal: readonly Exchange[];
}

/** How many requests in a row may be left without an answer before it is asked whether there is anyone at all. */
const MOST_SILENT = 4;

/** Creates a client of a deployment. */
export function createClient(target: Target): Client {
  const journal: Exchange[] = [];
  let isGone = false;
  let agent: HttpAgent | false = createAgent(target);
  // Once a connection was closed as it was used again, each request gets its own, so that another cut is the deployment's.
  const onStale = () => {
    agent = false;
  };
  const interval = 1000 / target.maxRate;
  let next = 0;
  const takeTurn = async () => {
    const now = performance.now();
    const turn = Math.max(now, next);
    next = turn + interval;
    if (turn > now) await delay(turn - now);
  };
  const attempt = async (request: SuiteRequest, left: number): Promise<Exchange> => {
    await takeTurn();
    // The quickstart may be of another scheme, for which the agent is none.
    const exchange = await sendOnce(request, target, request.base === target.baseUrl && agent, onStale);
    journal.push(exchange);
    if (exchange.response?.status !== 429) return exchange;
    const wait = readRetryAfter(exchange.response);
    if (left === 0 || wait > LONGEST_WAIT) throw new Skipped(TOO_MANY_REQUESTS);
    // For all requests, since the others would be answered the same.
    next = Math.max(next, performance.now() + wait);
    return attempt(request, left - 1);
  };
  const expectPresent = async () => {
    const recent = journal.slice(-MOST_SILENT);
    const isSilent = recent.length === MOST_SILENT && recent.every(({ response }) => response === undefined);
    if (!isSilent || isGone) return;
    const { response } = await attempt(toRequest({ path: '/pets' }, target), target.retries);
    isGone ||= response === undefined;
  };
  return {
    journal,
    send: async (options) => {
      if (options.method === 'POST' && !target.allowsWrites) throw new Error('A check that writes was run.');
      await expectPresent();
      if (isGone) throw new Skipped(`the deployment answers no more: ${journal.at(-1)?.failure}`);
      return attempt(toRequest(options, target), target.retries);
    },
  };
}

function toRequest(options: RequestOptions, target: Target): SuiteRequest {
  const { method = 'GET', path, body, mediaType = 'application/json' } = options;
  const authorization = 'authorization' in options ? options.authorization : `Bearer ${target.apiKey}`;
  const headers = {
    ...target.headers,
    ...options.headers,
    ...(authorization === undefined ? {} : { Authorization: authorization }),
    ...(body === undefined ? {} : { 'Content-Type': mediaType }),
  };
  return { method, base: options.base ?? target.baseUrl, path, headers, body };
}

function createAgent({ baseUrl, ca, insecure }: Target): HttpAgent {
  if (!baseUrl.startsWith('https:')) return new HttpAgent({ keepAlive: true });
  const trusted = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
  return new HttpsAgent({ keepAlive: true, rejectUnauthorized: !insecure, ...trusted });
}

async function sendOnce(
  request: SuiteRequest,
  target: Target,
  agent: HttpAgent | false,
  onStale: () => void,
): Promise<Exchange> {
  const start = performance.now();
  const end = (result: Pick<Exchange, 'response' | 'failure'>) => ({
    request,
    ...result,
    ms: performance.now() - start,
  });
  const test = toTest(request, target, agent);
  try {
    return end({ response: toResponse(await test), failure: undefined });
  } catch (error) {
    // A connection that has been idle may be closed just when it is used again; a new one tells what the deployment does.
    if (agent !== false && isStale(test, error as NodeJS.ErrnoException)) {
      onStale();
      return sendOnce(request, target, false, onStale);
    }
    return end({ response: undefined, failure: describeFailure(error as NodeJS.ErrnoException, target) });
  }
}

function isStale(test: Test, { code = '' }: NodeJS.ErrnoException): boolean {
  const { req } = test as unknown as { req?: { reusedSocket?: boolean } };
  return req?.reusedSocket === true && ['ECONNRESET', 'EPIPE'].includes(code);
}

function toTest(
  { method, base, path, headers, body }: SuiteRequest,
  target: Target,
  agent: HttpAgent | false,
): Test {
  const requests = supertest(base);
  const test = method === 'GET' ? requests.get(path) : requests.post(path);
  const { ca, insecure } = target;
  test
    // Some gateways refuse who does not say what it is.
    .set('User-Agent', 'animal-store-verify')
    .set(headers)
    .redirects(0)
    .ok(() => true)
    .timeout({ deadline: target.timeout })
    .buffer(true)
    .parse(readBytes);
  if (agent !== false) test.agent(agent);
  else if (ca !== undefined) test.ca(ca);
  if (insecure) test.disableTLSCerts();
  // As bytes, since superagent would print a string of a JSON type anew.
  return body === undefined
    ? test
    : test.serialize((bytes: unknown) => bytes as string).send(Buffer.from(body));
}

/** Takes the stream that it is given for the response that its type names. */
function readBytes(response: Response, done: (error: Error | null, body: Buffer) => void): void {
  const stream = response as unknown as NodeJS.ReadableStream;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk)));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
  stream.on('error', (error: Error) => done(error, Buffer.alloc(0)));
}

function toResponse({ status, headers, body }: Response): SuiteResponse {
  return { status, headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) };
}

function describeFailure({ code = '', message }: NodeJS.ErrnoException, { timeout }: Target): string {
  if (code === 'ECONNABORTED') return `no answer within ${timeout} ms`;
  if (code === 'EPROTO') return 'it does not speak TLS, or not this one: is its URL one of http?';
  if (/CERT|SIGNATURE/.test(code))
    return `nobody vouches for its certificate (${code}): see --ca and --insecure`;
  return message;
}
