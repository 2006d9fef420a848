import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import express, { type ErrorRequestHandler, type IRouter, type Request } from 'express';
import { ApiError, invalidRequest } from '../../common/http/api-error.ts';
import { createConsoleRouter } from '../../common/http/console-router.ts';
import { createRouter } from '../../common/http/create-router.ts';
import { errorStatuses, printError } from '../../common/http/errors.ts';
import { createReply } from '../../common/http/reply.ts';
import { readNewRequest, sendRequest } from '../../common/http/send-request.ts';
import { toOriginForm } from '../../common/http/to-origin-form.ts';
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

/**
 * Creates the console of a proxy: its page, and the latest exchanges and violations, which require a token, because other users of
 * this machine must not read the traffic.
 * @param keys redacted, in addition to the keys of each request.
 */
export function createProxyConsole(upstream: URL, keys: Keys, readCoverage: () => unknown) {
  const token = randomBytes(18).toString('base64url');
  const requests = new Latest<RecordedRequest>(MOST_WATCHED);
  const violations = new Latest<JournalViolation>(MOST_WATCHED_VIOLATIONS);
  const basePath = redact(upstream.pathname.replace(/\/+$/, ''), keys);
  const server = { startedAt: new Date(), upstream: upstream.origin + basePath, basePath };
  const readState = () => ({
    ...server,
    lastRequest: requests.lastId,
    oldestRequest: requests.oldestId,
    lastViolation: violations.lastId,
    oldestViolation: violations.oldestId,
    // The coverage changes with each request.
    version: `${requests.lastId}-${requests.oldestId}-${violations.oldestId}`,
  });

  const calls = createRouter();
  calls.use(({ headers: { authorization } }, _response, next) => {
    if (authorization === `Bearer ${token}`) return next();
    const state = authorization === undefined ? 'missing' : 'invalid';
    const message = `The token of the console is ${state}. Send it as "Authorization: Bearer <TOKEN>".`;
    throw new ApiError('unauthorized', message, { 'WWW-Authenticate': 'Bearer' });
  });
  addCall(calls, 'get', '/requests', ({ query: { since, limit = MOST_WATCHED } }) =>
    requests
      .list(toId(since))
      .slice(-Number(limit))
      .map((request) => redactRequest(request, keys)),
  );
  addCall(calls, 'delete', '/requests', ({ query }) => requests.clear(toId(query.until)));
  addCall(calls, 'get', '/violations', ({ query }) => violations.list(toId(query.since)));
  addCall(calls, 'delete', '/violations', ({ query }) => violations.clear(toId(query.until)));
  addCall(calls, 'get', '/coverage', readCoverage);
  addCall(calls, 'get', '/state', readState);
  addCall(calls, 'post', '/send', async (request) => {
    const { isChecked: _, ...sent } = readNewRequest(await readJson(request));
    await sendRequest(request, sent);
  });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use('/__console/__admin', calls);
  app.use('/__console', createConsoleRouter({ isShared: false }));
  app.use(({ originalUrl }) => {
    throw new ApiError('not_found', `There is nothing at ${originalUrl}.`);
  });
  app.use(answerError);

  return {
    token,

    /** Handles a request for the console. @returns whether it was one. */
    answer(request: IncomingMessage, response: ServerResponse): boolean {
      const url = toOriginForm(request.url ?? '');
      if (!/^\/__console(?:[/?]|$)/.test(url)) return false;
      request.url = url;
      app(request, response);
      return true;
    },

    /** @param summary required if the exchange has violations. */
    record(exchange: Exchange, summary?: ExchangeSummary): void {
      const request = toRequest(exchange);
      requests.add(request);
      if (summary === undefined) return;
      const { id, time, operation, method } = request;
      // The upstream response is checked, and not the Error that the client may get instead.
      const status = exchange.response?.status ?? request.status;
      const common = { time, request: id || undefined, operation, method, url: summary.target, status };
      for (const violation of exchange.violations) violations.add({ id: 0, ...violation, ...common });
    },
  };
}

/** Adds a call. @param run returns the value for the response, or nothing for a 204. */
function addCall(
  calls: IRouter,
  method: 'get' | 'delete' | 'post',
  path: string,
  run: (request: Request) => unknown,
): void {
  calls[method](path, async (request, response) => {
    const result = await run(request);
    if (result === undefined) writeReply(response, { status: 204, headers: {}, body: '' });
    else writeReply(response, createReply(200, JSON.stringify(result)));
  });
}

/** Reads an id in a query of the page. */
function toId(text: unknown): number | undefined {
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
function toRequest(exchange: Exchange): RecordedRequest {
  const { request, response, refusal, operationId, startedAt = Date.now() } = exchange;
  return {
    id: 0,
    time: new Date(startedAt),
    operation: operationId as OperationName | undefined,
    method: request.method,
    url: request.target,
    headers: request.headers,
    key: undefined,
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
