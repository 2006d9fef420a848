import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import express, { type ErrorRequestHandler, type Express, type IRouter } from 'express';
import { toOriginForm } from '../../common/http/answer-client-error.ts';
import { ApiError, invalidRequest } from '../../common/http/api-error.ts';
import { createConsoleRouter } from '../../common/http/console-router.ts';
import { createRouter } from '../../common/http/create-router.ts';
import { errorStatuses, printError } from '../../common/http/errors.ts';
import { createRefuseKey, nameKey } from '../../common/http/refuse-key.ts';
import { createReply } from '../../common/http/reply.ts';
import { readNewRequest, readOwnOrigin, sendRequest } from '../../common/http/send-request.ts';
import { streamState } from '../../common/http/stream-state.ts';
import { writeReply } from '../../common/http/write-reply.ts';
import {
  keepBody,
  type RecordedAnswer,
  type RecordedRequest,
  redactRequest,
} from '../../common/journal/journal-entry.ts';
import { Latest } from '../../common/journal/latest.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import type { JournalViolation } from '../../common/journal/violation.ts';
import { type Keys, redact } from '../../common/text/redact.ts';
import type { Exchange, ExchangeSummary } from '../exchange.ts';

const MOST_WATCHED = 1_000;
const MOST_WATCHED_VIOLATIONS = 10_000;

/** Returns the value for the response, or nothing for a 204. */
type Read = (query: Readonly<Record<string, string>>) => unknown;

/** The console of a proxy: its page, and the latest exchanges and violations, which require a token. */
export class ProxyConsole {
  /** Other users of this machine must not read the traffic. */
  readonly token = randomBytes(18).toString('base64url');
  readonly #apiKeys: readonly string[];
  readonly #keys: Keys;
  readonly #requests = new Latest<RecordedRequest>(MOST_WATCHED);
  readonly #violations = new Latest<JournalViolation>(MOST_WATCHED_VIOLATIONS);
  #isClosed = false;
  readonly #refuseToken: ReturnType<typeof createRefuseKey>;
  readonly #server: { readonly startedAt: Date; readonly upstream: string; readonly basePath: string };
  readonly #readCoverage: () => unknown;
  readonly #calls: readonly (readonly [method: 'get' | 'delete', path: string, read: Read])[] = [
    ['get', '/requests', (query) => this.#listRequests(query)],
    ['delete', '/requests', ({ until }) => this.#requests.clear(toId(until))],
    ['get', '/violations', ({ since }) => this.#violations.list(toId(since))],
    ['delete', '/violations', ({ until }) => this.#violations.clear(toId(until))],
    ['get', '/coverage', () => this.#readCoverage()],
    ['get', '/state', () => this.#describeState()],
  ];
  readonly #app = this.#createApp();

  /**
   * @param keys Redacted, in addition to the keys of each request.
   * @param apiKeys Those of them that requests to the upstream may have, in the order of their names.
   */
  constructor(upstream: URL, keys: Keys, apiKeys: readonly string[], readCoverage: () => unknown) {
    this.#readCoverage = readCoverage;
    this.#apiKeys = apiKeys;
    const basePath = upstream.pathname.replace(/\/+$/, '');
    const shown = redact(upstream.origin + basePath, keys);
    this.#server = { startedAt: new Date(), upstream: shown, basePath };
    this.#keys = keys;
    this.#refuseToken = createRefuseKey([this.token], { name: 'token of the console', example: '<TOKEN>' });
  }

  /** @param summary required if the exchange has violations. */
  record(exchange: Exchange, summary?: ExchangeSummary): void {
    const request = toRequest(exchange, this.#apiKeys);
    this.#requests.add(request);
    if (summary === undefined) return;
    const { id, time, operation, method } = request;
    // The upstream response is checked, and not the Error that the client may get instead.
    const status = exchange.response?.status ?? request.status;
    const common = { time, request: id || undefined, operation, method, url: summary.target, status };
    for (const violation of exchange.violations) this.#violations.add({ id: 0, ...violation, ...common });
  }

  /** Handles a request for the console. @returns whether it was one. */
  readonly answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const url = toOriginForm(request.url ?? '');
    if (!/^\/__console(?:[/?]|$)/.test(url)) return false;
    request.url = url;
    this.#app(request, response);
    return true;
  };

  close(): void {
    this.#isClosed = true;
  }

  #createApp(): Express {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    app.enable('case sensitive routing');
    app.enable('strict routing');
    app.use('/__console/__admin', this.#createCalls());
    app.use('/__console', createConsoleRouter({ isShared: false }));
    app.use(({ originalUrl }) => {
      throw new ApiError('not_found', `There is nothing at ${originalUrl}.`);
    });
    app.use(answerError);
    return app;
  }

  #createCalls(): IRouter {
    const calls = createRouter();
    calls.use(({ headers }, response, next) => {
      const refusal = this.#refuseToken(headers.authorization);
      if (refusal === undefined) next();
      else writeReply(response, refusal);
    });
    for (const [method, path, read] of this.#calls) {
      calls[method](path, ({ url }, response) => {
        const result = read(Object.fromEntries(new URL(url, 'http://localhost').searchParams));
        if (result === undefined) writeReply(response, { status: 204, headers: {}, body: '' });
        else writeReply(response, createReply(200, JSON.stringify(result)));
      });
    }
    calls.post('/send', async (request, response) => {
      const { isChecked: _, ...sent } = readNewRequest(await readJson(request));
      await sendRequest(readOwnOrigin(request), sent);
      writeReply(response, { status: 204, headers: {}, body: '' });
    });
    calls.get('/events', (_request, response) => {
      streamState(response, () => (this.#isClosed ? undefined : this.#describeState()));
    });
    calls.use(() => {
      const known = this.#calls.map(([method, path]) => `${method.toUpperCase()} ${path}`);
      throw new ApiError(
        'not_found',
        `Under /__console/__admin there is only ${known.join(', ')}, POST /send, GET /events.`,
      );
    });
    return calls;
  }

  #listRequests({ since, limit }: Parameters<Read>[0]) {
    const found = this.#requests.list(toId(since)).slice(-Number(limit ?? MOST_WATCHED));
    return found.map((request) => redactRequest(request, this.#keys));
  }

  #describeState() {
    return {
      ...this.#server,
      lastRequest: this.#requests.lastId,
      oldestRequest: this.#requests.oldestId,
      lastViolation: this.#violations.lastId,
      oldestViolation: this.#violations.oldestId,
      waitingRequests: 0,
      // The coverage changes with each request.
      version: `${this.#requests.lastId}-${this.#requests.oldestId}-${this.#violations.oldestId}`,
    };
  }
}

/** Reads an id in a query of the page. */
function toId(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  try {
    return await json(request);
  } catch {
    throw invalidRequest('The body must be JSON.');
  }
}

const answerError: ErrorRequestHandler = (error, _request, response, next) => {
  // Express then breaks off the response.
  if (response.headersSent) return next(error);
  const failure = `The proxy failed: ${error.message}.`;
  const apiError = error instanceof ApiError ? error : new ApiError('internal_error', failure);
  writeReply(response, apiError.reply);
};

/** Returns an exchange as the journal keeps it. If the proxy refused the upstream response, that response is kept. */
function toRequest(exchange: Exchange, apiKeys: readonly string[]): RecordedRequest {
  const { request, response, refusal, operationId, startedAt = Date.now() } = exchange;
  const sent = { method: request.method, url: request.target, headers: request.headers };
  return {
    id: 0,
    time: new Date(startedAt),
    operation: operationId as OperationName | undefined,
    ...sent,
    key: apiKeys.length === 0 ? undefined : nameKey(request.headers.authorization, apiKeys),
    ...keepBody(request.body, request.headers['content-encoding']),
    isReceived: true,
    isChecked: true,
    status: refusal ? errorStatuses[refusal.code] : response?.status,
    error: refusal?.code,
    fault: undefined,
    hint: undefined,
    ms: Date.now() - startedAt,
    answer: toAnswer(exchange),
  };
}

function toAnswer({ request, response, refusal }: Exchange): RecordedAnswer | undefined {
  if (response === undefined) {
    const headers = { 'content-type': 'application/json' };
    return refusal && { headers, body: printError(refusal.code, refusal.message) };
  }
  const { headers, status, body } = response;
  const hasNoBody = request.method === 'HEAD' || status === 204 || status === 304;
  const isKept = body !== undefined || hasNoBody;
  const kept = isKept
    ? keepBody(body, headers['content-encoding'])
    : { body, bodyState: 'not kept' as const };
  return { headers, ...kept, ...(refusal && { status }) };
}
