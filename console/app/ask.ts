import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { connection, recall } from './store.ts';

export class RefusedError extends Error {
  status = 0;
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
      ...(token !== '' && { Authorization: `Bearer ${token}` }),
      ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
    },
    ...options,
  });
  if (response.ok) return response;
  const text = await response.text();
  const error = new RefusedError(readMessage(text) ?? `${response.status} ${text.slice(0, LONGEST_SHOWN)}`);
  throw Object.assign(error, { status: response.status });
}

export function readMessage(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text);
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Each operation replies with another type. */
export async function ask(method: string, path: string, body?: unknown, parse = JSON.parse) {
  const options = body === undefined ? {} : { body: printExactJson(body as ExactJson) };
  const text = await (await send(method, path, options)).text();
  return text === '' ? undefined : parse(text);
}
