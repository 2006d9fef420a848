import type { ErrorCode } from '../../common/errors.ts';
import type { ExactJson } from '../../common/exact-json.ts';
import type { MockOptions } from '../options.ts';

/** A request to a mock that holds the sample animals, and what it must answer. */
export interface HttpCase {
  readonly title: string;
  /** Beside the sample animals. */
  readonly options?: MockOptions;
  readonly request: HttpRequest;
  readonly answer: HttpAnswer;
}

/** A request; it carries `Authorization: Bearer test-key` unless its headers say otherwise. */
export interface HttpRequest {
  readonly method: string;
  /** From the origin on, as it is put on the wire. */
  readonly path: string;
  /** A header that is undefined is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer;
}

/** An expected answer. */
export interface HttpAnswer {
  readonly status: number;
  /** A header that is undefined must be absent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The body, as JSON; compared with every integer exact. */
  readonly body?: ExactJson;
  /** The body is an Error of this code, with `status`, whose message holds each of these texts. */
  readonly error?: { readonly code: ErrorCode; readonly mentions: readonly string[] };
}

/** A case whose answer is an Error, of the status that its code stands for. */
export function refusal(
  title: string,
  request: HttpRequest,
  [status, code]: readonly [number, ErrorCode],
  mentions: readonly string[],
  more: Partial<HttpCase> & { headers?: HttpAnswer['headers'] } = {},
): HttpCase {
  const { headers, ...rest } = more;
  return {
    title,
    request,
    answer: { status, error: { code, mentions }, ...(headers === undefined ? {} : { headers }) },
    ...rest,
  };
}

/** A request with a JSON body. */
export function post(path: string, body: string | Buffer, headers: HttpRequest['headers'] = {}): HttpRequest {
  return { method: 'POST', path, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

/** A GET request. */
export function get(path: string, headers: HttpRequest['headers'] = {}): HttpRequest {
  return { method: 'GET', path, headers };
}
