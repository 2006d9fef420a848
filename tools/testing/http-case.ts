import type { Express } from 'express';
import supertest, { type Response } from 'supertest';
import { expect } from 'vitest';
import { parseExactJson } from '../../common/json/exact-json.ts';
import type { MockOptions } from '../../mock/mock-options.ts';

type HeaderFields = Readonly<Record<string, string | undefined>>;

/** A request to a mock with the sample animals, and its response. */
export interface HttpCase {
  readonly request: HttpRequest;
  readonly answer: HttpAnswer;
  /** In addition to the sample animals. */
  readonly options?: MockOptions;
}

/** A request with `Authorization: Bearer test-key`, unless its headers say otherwise. */
export interface HttpRequest {
  readonly method: string;
  /** The target, as it is sent. */
  readonly path: string;
  /** A header that is undefined is not sent. */
  readonly headers?: HeaderFields;
  readonly body?: string | Buffer;
}

interface HttpAnswer {
  readonly status: number;
  /** A header that is undefined must be absent. */
  readonly headers?: HeaderFields;
  /** The body, as JSON; compared with every integer exact. */
  readonly body?: unknown;
  /** The body is an Error of this status, whose message contains each of these strings. */
  readonly mentions?: readonly string[];
}

/** The code of the Error with each status; written out, since the mock's own table is compared with it. */
export const errorCodes: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'host_not_allowed',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'name_taken',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
};

/** Returns a case whose response is an Error. */
export function refusal(
  request: HttpRequest,
  status: number,
  mentions: readonly string[] = [],
  headers: HeaderFields = {},
  options: MockOptions = {},
): HttpCase {
  return { request, options, answer: { status, headers, mentions } };
}

/** Returns a request with a JSON body. */
export function post(path: string, body: string | Buffer, headers: HeaderFields = {}): HttpRequest {
  return { method: 'POST', path, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

/** Returns a GET request. */
export function get(path: string, headers: HeaderFields = {}): HttpRequest {
  return { method: 'GET', path, headers };
}

/** An application in this process, or the base URL of a mock or session that is listening. */
export type Target = Express | string;

/** Sends a request to an application, or to the mock or session with this base URL. */
export async function send(target: Target, { method, path, headers, body }: HttpRequest): Promise<Response> {
  const tested = supertest(typeof target === 'string' ? new URL(target).origin : target);
  const agent = tested as unknown as Record<string, (path: string) => supertest.Test>;
  const request = agent[method.toLowerCase()]?.(path);
  if (request === undefined) throw new Error(`supertest knows no method ${method}.`);
  const all = { Authorization: 'Bearer test-key', ...headers };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) request.set(name, value);
  // A body is sent as bytes: superagent would print strings of a JSON type again.
  return body === undefined ? request : request.serialize((bytes) => bytes).send(Buffer.from(body));
}

/** Throws unless the response is the expected one. The response to HEAD has no body. */
export function expectAnswer(response: Response, method: string, answer: HttpAnswer): void {
  const { status, headers = {}, body, mentions } = answer;
  expect(response.status, response.text).toBe(status);
  for (const [name, value] of Object.entries(headers)) expect(response.headers[name], name).toBe(value);
  if (method === 'HEAD') {
    expect(response.text ?? '').toBe('');
    return;
  }
  if (body !== undefined) expect(parseExactJson(response.text)).toEqual(body);
  if (mentions === undefined) return;
  expect(response.headers['content-type']).toBe('application/json');
  const { message, ...others } = parseExactJson(response.text) as Record<string, unknown>;
  expect(others).toEqual({ code: errorCodes[status], status: BigInt(status) });
  expect(message).toBeTypeOf('string');
  for (const mention of mentions) expect(message).toContain(mention);
}
