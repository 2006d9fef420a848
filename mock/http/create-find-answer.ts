import { fileURLToPath } from 'node:url';
import type { Request, Response } from 'express';
import { type ExactJson, parseExactJson, printExactJson } from '../../common/exact-json.ts';
import { ApiError } from '../api/errors.ts';
import { createReply, type Reply } from '../api/reply.ts';
import type { Service } from '../control/create-service.ts';
import { type AdminOperation, type AdminRequest, adminRoutes, type Common } from './admin-routes.ts';
import { createDocumentReply, type DocumentFormat, documentFormats } from './create-document-reply.ts';
import type { Events } from './create-events.ts';
import type { WriteReply } from './create-writers.ts';

/** The OpenAPI document of the control API: in a checkout, and beside what the published package was built to. */
export const controlApiFile: string = fileURLToPath(new URL('../control-api.yaml', import.meta.url));

/** Answers a request. @param param the name or id in the path. */
export type Answer = (service: Service, request: Request, response: Response, param: string) => unknown;

/** A path beneath `/__admin`, and what answers there by method. */
interface Place {
  readonly path: string;
  readonly pattern: RegExp;
  readonly answers: ReadonlyMap<string, Answer>;
}

/** A report holds texts of a deployment, and has a script of its own: it may do nothing in the name of the mock. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': 'sandbox allow-scripts allow-popups',
};

/**
 * Creates what finds what answers a request at a path beneath `/__admin`, and the name or id in the path. It throws an
 * ApiError where there is nothing, or not for the method.
 */
export function createFindAnswer(common: Common, { listen }: Events, writeReply: WriteReply) {
  const places = toPlaces([
    ...Object.entries(adminRoutes).map(
      ([line, operation]) => [line, createAnswer(operation, common, writeReply)] as const,
    ),
    [
      'GET /verifications/{id}/report',
      (_service, _request, response, param) =>
        writeReply(response, createReply(200, common.verifications.report(Number(param)), pageHeaders)),
    ],
    ['GET /events', listen],
    ...documentFormats.map(
      (format) => [`GET /openapi.${format}`, answerWithDocument(format, writeReply)] as const,
    ),
  ]);
  return ({ method, path: whole }: Request, path: string): [Answer, param: string] => {
    const place = places.find(({ pattern }) => pattern.test(path));
    if (place === undefined) {
      const known = places
        .flatMap((one) => [...one.answers.keys()].map((key) => `${key} ${one.path}`))
        .join(', ');
      const message = `There is nothing at ${whole}. Beneath /__admin there is ${known}, which describes all of it.`;
      throw new ApiError('not_found', message);
    }
    const answer = place.answers.get(method === 'HEAD' ? 'GET' : method);
    if (answer === undefined) throw notAllowed(method, [...place.answers.keys()].join(', '));
    const [, param = ''] = place.pattern.exec(path) ?? [];
    return [answer, decodeURIComponent(param)];
  };
}

/** The refusal of a method. @param allow those that are allowed. */
export function notAllowed(method: string, allow: string): ApiError {
  const message = `${method} is not allowed here; allowed are ${allow}.`;
  return new ApiError('method_not_allowed', message, { Allow: allow });
}

/** What an operation returns is JSON; nothing is 204. */
function createAnswer(operation: AdminOperation, common: Common, writeReply: WriteReply): Answer {
  return async ({ control, operations, settings }, request, response, param) => {
    const { method, url, headers } = request;
    const given: AdminRequest = {
      ...{ param, query: new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length)) },
      body: parseBody(request),
      own: { baseUrl: `http://${headers.host}${operations.basePath}`, apiKey: settings.apiKeys[0] ?? '' },
    };
    const result = await operation(control, given, common);
    const reply: Reply =
      result === undefined
        ? { status: 204, headers: {}, body: '' }
        : createReply(method === 'POST' ? 201 : 200, printExactJson(result as ExactJson));
    writeReply(response, reply);
  };
}

function answerWithDocument(format: DocumentFormat, writeReply: WriteReply): Answer {
  return async ({ operations }, { headers: { host } }, response) => {
    const path = operations.basePath.replace(/\/v1$/, '');
    writeReply(response, await createDocumentReply(controlApiFile, format, host, path));
  };
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

function toPlaces(answers: Iterable<readonly [line: string, answer: Answer]>): Place[] {
  const byPath = new Map<string, Map<string, Answer>>();
  for (const [line, answer] of answers) {
    const [method = '', path = ''] = line.split(' ');
    byPath.set(path, (byPath.get(path) ?? new Map()).set(method, answer));
  }
  return [...byPath].map(([path, answers]) => {
    const pattern = new RegExp(`^${path.replace('.', '\\.').replace(/\{\w+\}/, '([^/]+)')}$`);
    return { path, pattern, answers };
  });
}
