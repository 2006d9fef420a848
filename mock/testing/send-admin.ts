import { type ExactJson, parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { send } from '../../testing/http-case.ts';

/** A request to the control API: its method, its path beneath `/__admin`, and its body. */
export type AdminCall = readonly [method: string, path: string, body?: unknown];

/** Sends it to the mock or session with this base URL, without the API key; every integer of the answer is a bigint, and an empty body is undefined. */
export async function sendAdmin(url: string, [method, path, body]: AdminCall, headers = {}) {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await send(url, {
    method,
    path: `${new URL(url).pathname.replace(/\/v1$/, '')}/__admin${path}`,
    headers: { Authorization: undefined, ...type, ...headers },
    ...(body === undefined ? {} : { body: printExactJson(body as ExactJson) }),
  });
  const text = response.text ?? '';
  return {
    status: response.status,
    headers: response.headers,
    body: text ? parseExactJson(text) : undefined,
  };
}
