import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import { type ExactJson, parseExactJson, printExactJson } from '../../common/exact-json.ts';
import { describeHost, type HostCheck } from '../../common/host-check.ts';
import { ApiError } from '../api/errors.ts';
import { expectJsonType } from '../api/parse-json-object.ts';
import { createReply, type Reply } from '../api/reply.ts';
import type { Service } from '../control/create-service.ts';
import { type AdminOperation, type AdminRequest, adminRoutes, type Common } from './admin-routes.ts';
import { createRefuseKey } from './authenticate.ts';
import { createEvents } from './create-events.ts';
import { createWriters, nothingAt } from './create-writers.ts';
import { readBody } from './read-body.ts';

/** What the control API is made of. */
export interface AdminDependencies extends Common {
  /** Whether the control API is there; the health check always is. */
  readonly admin: boolean;
  /** The bearer token that the control API wants. @default none */
  readonly adminToken?: string | undefined;
  /** Whether nothing but this machine reaches the mock. */
  readonly isLoopback: boolean;
  readonly isHostAllowed: HostCheck;
  /** Told of each failure that is the mock's own fault. */
  readonly reportFault: (error: unknown) => void;
}

/** What answers for the control API. */
export interface Admin {
  /** Answers a request to the control API or the health check of a service. @returns whether it was one. */
  answer(service: Service, request: Request, response: Response): boolean;
  /** Ends what has no end of its own. */
  close(): void;
}

/** A path of the table, and what stands there by method. */
interface Place {
  readonly pattern: RegExp;
  readonly operations: ReadonlyMap<string, AdminOperation>;
}

const places = readPlaces();

/** What does not answer with JSON. */
const others = ['GET /events', 'GET /verifications/{id}/report'];

/** Creates what answers `/__admin` and `/health`, without CORS headers: pages of other origins get nothing from it. */
export function createAdmin(dependencies: AdminDependencies): Admin {
  const { verifications, admin, reportFault } = dependencies;
  const { writeReply, writeError } = createWriters({ 'Cache-Control': 'no-store' }, reportFault);
  const refuse = createRefuse(dependencies);
  const events = createEvents(dependencies);
  const answer: Admin['answer'] = (service, request, response) => {
    // Most requests are seen sooner.
    if (request.url.startsWith('/v1/')) return false;
    const target = /^\/(__admin|health)((?<=n)\/[^?]*)?(?:\?|$)/.exec(request.url);
    if (target === null) return false;
    const [, area, path = ''] = target;
    const fail = (error: unknown) => writeError(error, request, response);
    if (area === 'health' || path === '/health') {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead) writeReply(response, createReply(200, '{"status":"ok"}'));
      else fail(notAllowed(request.method, 'GET, HEAD'));
      return true;
    }
    const refusal = admin ? refuse(request) : nothingAt(request.path);
    if (refusal !== undefined) {
      fail(refusal);
      return true;
    }
    readBody(request, response, (error) => {
      try {
        if (error !== undefined) throw error;
        if (path === '/events' && request.method === 'GET') events.listen(service, request, response);
        else writeReply(response, createAnswer(service, request, path, dependencies));
      } catch (thrown) {
        fail(thrown);
      }
    });
    return true;
  };
  const close = () => {
    events.close();
    verifications.close();
  };
  return { answer, close };
}

/** Refuses what may come from a page of another origin, from another machine, or without the token. */
function createRefuse({ adminToken, isLoopback, isHostAllowed }: AdminDependencies) {
  const refuseToken =
    adminToken === undefined ? undefined : createRefuseKey([adminToken], 'admin token', '<ADMIN_TOKEN>');
  return ({ method, headers }: Request): ApiError | undefined => {
    if (!isHostAllowed(headers.host)) return new ApiError('host_not_allowed', describeHost(headers.host));
    if (headers['sec-fetch-site'] === 'cross-site') {
      return new ApiError('forbidden', 'The control API takes no request from a page of another site.');
    }
    if (refuseToken !== undefined) return refuseToken(headers.authorization);
    if (!isLoopback) {
      const why = 'The control API is off, since other machines reach this mock';
      return new ApiError(
        'forbidden',
        `${why}: --admin-token <token>, or adminToken in a program, opens it.`,
      );
    }
    return isWrite(method) ? refuseForm(headers) : undefined;
  };
}

/** A page may send a form, or nothing, to any origin without asking; JSON it may not. Source: Fetch standard, CORS protocol */
function refuseForm(headers: IncomingHttpHeaders): ApiError | undefined {
  if (headers['content-type'] === undefined && headers.origin === undefined && !hasBody(headers)) {
    return undefined;
  }
  try {
    expectJsonType(headers['content-type']);
    return undefined;
  } catch (error) {
    return error as ApiError;
  }
}

function isWrite(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A report holds texts of a deployment, and has a script of its own: it may do nothing in the name of the mock. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': 'sandbox allow-scripts allow-popups',
};

/** Finds the operation and makes a reply of what it returns; nothing is 204. */
function createAnswer(
  { control, operations, settings }: Service,
  request: Request,
  path: string,
  common: Common,
): Reply {
  const { method, url, headers } = request;
  const [, reported] = /^\/verifications\/(\d{1,15})\/report$/.exec(path) ?? [];
  if (reported !== undefined && method === 'GET') {
    return createReply(200, common.verifications.report(Number(reported)), pageHeaders);
  }
  const place = places.find(({ pattern }) => pattern.test(path));
  if (place === undefined) {
    const known = [...Object.keys(adminRoutes), ...others].join(', ');
    throw new ApiError(
      'not_found',
      `There is nothing at ${request.path}. Beneath /__admin there is ${known}.`,
    );
  }
  const operation = place.operations.get(method === 'HEAD' ? 'GET' : method);
  if (operation === undefined) throw notAllowed(method, [...place.operations.keys()].join(', '));
  const [, param = ''] = place.pattern.exec(path) ?? [];
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length));
  const given: AdminRequest = {
    ...{ param: decodeURIComponent(param), query, body: parseBody(request) },
    own: { baseUrl: `http://${headers.host}${operations.basePath}`, apiKey: settings.apiKeys[0] ?? '' },
  };
  const result = operation(control, given, common);
  if (result === undefined) return { status: 204, headers: {}, body: '' };
  return createReply(method === 'POST' ? 201 : 200, printExactJson(result as ExactJson));
}

function parseBody({ body }: Request): ExactJson | undefined {
  if (!(body instanceof Uint8Array) || body.length === 0) return undefined;
  try {
    return parseExactJson(body);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new ApiError('invalid_request', `The body could not be read as JSON: ${message}.`);
  }
}

function notAllowed(method: string, allow: string): ApiError {
  const message = `${method} is not allowed here; allowed are ${allow}.`;
  return new ApiError('method_not_allowed', message, { Allow: allow });
}

function readPlaces(): Place[] {
  const byPath = new Map<string, Map<string, AdminOperation>>();
  for (const [line, operation] of Object.entries(adminRoutes)) {
    const [method = '', path = ''] = line.split(' ');
    byPath.set(path, (byPath.get(path) ?? new Map()).set(method, operation));
  }
  return [...byPath].map(([path, operations]) => {
    return { pattern: new RegExp(`^${path.replace(/\{\w+\}/, '([^/]+)')}$`), operations };
  });
}
