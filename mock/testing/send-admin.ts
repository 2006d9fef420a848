import { type ExactJson, parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { send } from '../../testing/http-case.ts';

/** A request to the control API: its method, its path under `/__admin`, and its body. */
export type AdminCall = readonly [method: string, path: string, body?: unknown];

/** Sends a call to the mock or session with this base URL, without the API key. Integers of the body are bigints. */
export async function sendAdmin(url: string, [method, path, body]: AdminCall, headers = {}) {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await send(url, {
    method,
    path: `${new URL(url).pathname.replace(/\/v1$/, '')}/__admin${path}`,
    headers: { Authorization: undefined, ...type, ...headers },
    ...(body === undefined ? {} : { body: printExactJson(body as ExactJson) }),
  });
  const text = response.text ?? '';
  const json = text ? parseExactJson(text) : undefined;
  return { status: response.status, headers: response.headers, text, body: json };
}
