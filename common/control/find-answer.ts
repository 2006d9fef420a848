import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../api-error.ts';
import { type ExactJson, parseExactJson, printExactJson } from '../exact-json.ts';
import { createReply, type Reply } from '../reply.ts';

/** Answers a request to a control API. @param service what it drives. @param param the name or id in the path. */
export type Answer<Service> = (
  service: Service,
  request: ControlRequest,
  response: ServerResponse,
  param: string,
) => unknown;

/** A request with its body, when that has been read. */
export interface ControlRequest extends IncomingMessage {
  body?: unknown;
}

/** What answers, by its line, such as `GET /requests`: the path is beneath that of the control API. */
export type AnswerLine<Service> = readonly [line: string, answer: Answer<Service>];

/** What an operation gets: the name or id in the path, the query, and the body as JSON. */
export interface OperationInput {
  readonly param: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** Writes a reply of a control API as the whole response; as bytes, since a connection may have been told to write texts in latin1. */
export function writeReply(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { 'Cache-Control': 'no-store', ...headers }).end(Buffer.from(body));
}

/**
 * Creates what finds what answers a request at a path, and the name or id in that. It throws an ApiError where there is
 * nothing, or not for the method.
 * @param root where the paths begin, such as `/__admin`
 */
export function createFindAnswer<Service>(lines: Iterable<AnswerLine<Service>>, root: string) {
  const places = toPlaces(lines);
  return (method: string, path: string): [Answer<Service>, param: string] => {
    const place = places.find(({ pattern }) => pattern.test(path));
    if (place === undefined) {
      const known = places
        .flatMap((one) => [...one.answers.keys()].map((key) => `${key} ${one.path}`))
        .join(', ');
      throw new ApiError(
        'not_found',
        `There is nothing at ${root}${path}. Beneath ${root} there is ${known}.`,
      );
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

/** Creates what answers with what an operation returns, as JSON; nothing is 204. */
export function answerWithJson<Service>(
  operate: (service: Service, input: OperationInput, request: ControlRequest) => unknown,
): Answer<Service> {
  return async (service, request, response, param) => {
    const { method, url = '' } = request;
    const query = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length));
    const result = await operate(service, { param, query, body: parseBody(request.body) }, request);
    const reply: Reply =
      result === undefined
        ? { status: 204, headers: {}, body: '' }
        : createReply(method === 'POST' ? 201 : 200, printExactJson(result as ExactJson));
    writeReply(response, reply);
  };
}

function parseBody(body: unknown): ExactJson | undefined {
  if (!(body instanceof Uint8Array) || body.length === 0) return undefined;
  try {
    return parseExactJson(body);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new ApiError('invalid_request', `The body could not be read as JSON: ${message}.`);
  }
}

/** A path beneath that of the control API, and what answers there by method. */
interface Place<Service> {
  readonly path: string;
  readonly pattern: RegExp;
  readonly answers: ReadonlyMap<string, Answer<Service>>;
}

function toPlaces<Service>(lines: Iterable<AnswerLine<Service>>): Place<Service>[] {
  const byPath = new Map<string, Map<string, Answer<Service>>>();
  for (const [line, answer] of lines) {
    const [method = '', path = ''] = line.split(' ');
    byPath.set(path, (byPath.get(path) ?? new Map()).set(method, answer));
  }
  return [...byPath].map(([path, answers]) => {
    const pattern = new RegExp(`^${path.replace('.', '\\.').replace(/\{\w+\}/, '([^/]+)')}$`);
    return { path, pattern, answers };
  });
}
