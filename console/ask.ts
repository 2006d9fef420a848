import { type ExactJson, parseExactJson, printExactJson } from '../common/exact-json.ts';
import { isProxy, state } from './data.ts';
import { recall } from './memory.ts';

/** An answer of the control API that is not what was asked for. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Asks the control API. @param path beneath it, or from the origin on. @throws Refusal */
export async function send(method: string, path: string, options: RequestInit = {}): Promise<Response> {
  const token = recall('token');
  // Source: Fetch standard, header values
  if (/[^\t -~\x80-\xff]/.test(token)) {
    throw new Refusal(
      401,
      `The ${isProxy ? 'token' : 'admin token'} has a character that a header cannot hold: Latin letters, digits and signs alone.`,
    );
  }
  // A request would make the session anew.
  if (state.connection === 'ended') throw new Refusal(404, 'This session has ended.');
  const response = await fetch(path.startsWith('/') ? path : `__admin/${path}`, {
    method,
    // It may be the last thing that the page does.
    keepalive: method === 'DELETE',
    headers: {
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
      // Without it a page may be of another origin.
      ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
    },
    ...options,
  });
  if (response.ok) return response;
  const text = await response.text();
  throw new Refusal(response.status, readMessage(text) ?? `${response.status} ${text.slice(0, 200)}`);
}

/** The message of an Error that was answered. */
export function readMessage(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text);
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Asks the control API, integers exact both ways. @throws Refusal with the message of the Error that it answers. */
export async function askExactly(method: string, path: string, body?: ExactJson): Promise<ExactJson> {
  const text = await (
    await send(method, path, body === undefined ? {} : { body: printExactJson(body) })
  ).text();
  return text === '' ? null : parseExactJson(text);
}

/** Asks the control API. @throws Refusal with the message of the Error that it answers. */
// biome-ignore lint/suspicious/noExplicitAny: each operation answers something else.
export async function ask(method: string, path: string, body?: unknown): Promise<any> {
  const text = await (
    await send(method, path, body === undefined ? {} : { body: JSON.stringify(body) })
  ).text();
  return text === '' ? undefined : JSON.parse(text);
}
