import type { MemberProblem } from '../../common/http/api-error.ts';
import { CONSOLE_HEADER } from '../../common/http/console-header.ts';
import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { connection, recall } from './store.ts';

export class RefusedError extends Error {
  status = 0;
  /** The members that are wrong, if the request had an animal. */
  problems: readonly MemberProblem[] = [];
}

/** Number of characters of a response without a message that are shown. */
const LONGEST_SHOWN = 200;

/** @param path under `__admin/`, or an absolute path. @throws RefusedError */
export async function send(method: string, path: string, options: RequestInit = {}): Promise<Response> {
  // A request to the session would create it again.
  if (connection.value === 'ended' && !path.startsWith('/'))
    throw new RefusedError('This session has ended.');
  const token = recall('token');
  const response = await fetch(path.startsWith('/') ? path : `__admin/${path}`, {
    method,
    // The page may be about to close.
    keepalive: method === 'DELETE',
    headers: {
      [CONSOLE_HEADER]: 'true',
      ...(token !== '' && { Authorization: `Bearer ${token}` }),
      ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
    },
    ...options,
  });
  if (response.ok) return response;
  const text = await response.text();
  const { message, problems = [] } = readError(text);
  const error = new RefusedError(message ?? `${response.status} ${text.slice(0, LONGEST_SHOWN)}`);
  throw Object.assign(error, { status: response.status, problems });
}

interface ErrorBody {
  readonly message?: string;
  readonly problems?: readonly MemberProblem[];
}

function readError(text: string): ErrorBody {
  try {
    const { message, problems } = JSON.parse(text);
    return typeof message === 'string' ? { message, problems } : {};
  } catch {
    return {};
  }
}

/** Returns the message of an Error, or undefined for another body. */
export const readMessage = (text: string): string | undefined => readError(text).message;

/** Each operation replies with another type. */
export async function ask(method: string, path: string, body?: unknown, parse = JSON.parse) {
  const options = body === undefined ? {} : { body: printExactJson(body as ExactJson) };
  const text = await (await send(method, path, options)).text();
  return text === '' ? undefined : parse(text);
}
