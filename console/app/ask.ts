import type { MemberProblem } from '../../common/http/api-error.ts';
import { CONSOLE_HEADER } from '../../common/http/console-header.ts';
import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { recall } from './store.ts';

export class RefusedError extends Error {
  status = 0;
  /** The members that are wrong, if the request had an animal. */
  problems: readonly MemberProblem[] = [];
}

/** Number of characters of a response without a message that are shown. */
const LONGEST_SHOWN = 200;

/** Each operation replies with another type. @param path under `__admin/`, or an absolute path. @throws RefusedError */
export async function ask(method: string, path: string, body?: unknown, parse = JSON.parse) {
  const token = recall('token');
  const response = await fetch(path.startsWith('/') ? path : `__admin/${path}`, {
    method,
    headers: {
      [CONSOLE_HEADER]: 'true',
      ...(token !== '' && { Authorization: `Bearer ${token}` }),
      ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: printExactJson(body as ExactJson) }),
  });
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : parse(text);
  const { message, problems = [] } = readError(text);
  const error = new RefusedError(message ?? `${response.status} ${text.slice(0, LONGEST_SHOWN)}`);
  throw Object.assign(error, { status: response.status, problems });
}

/** Reads the message of an Error, and the members that are wrong. Another body has none. */
export function readError(text: string): { message?: string; problems?: readonly MemberProblem[] } {
  try {
    const { message, problems } = JSON.parse(text);
    return typeof message === 'string' ? { message, problems } : {};
  } catch {
    return {};
  }
}
