import { expect } from 'vitest';
import { type ExactJson, parseExactJson, printExactJson } from '../../common/json/exact-json.ts';
import { send, type Target } from '../../tools/testing/http-case.ts';
import { controlRoutes } from '../server/admin/control-routes.ts';
import { createControlDocument } from '../server/admin/create-document.ts';
import { createDocumentCheck } from './document-check.ts';

/** A request to the control API: its method, its path under `/__admin`, and its body. */
export type AdminCall = readonly [method: string, path: string, body?: unknown];

/** The document of the control API. */
const controlApi = createControlDocument(controlRoutes);
export const controlCheck = createDocumentCheck(controlApi);

/**
 * Sends a call to an application, or to the mock or session with this base URL, without the API key, and checks the response by
 * the document. Integers of the body are bigints.
 * @param base The URL of a session of an application, which is a path. @default the mock itself
 */
export async function sendAdmin(
  target: Target,
  [method, path, body]: AdminCall,
  headers = {},
  base = typeof target === 'string' ? new URL(target).pathname : '/v1',
) {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await send(target, {
    method,
    path: `${base.replace(/\/v1$/, '')}/__admin${path}`,
    headers: { Authorization: undefined, ...type, ...headers },
    ...(body === undefined ? {} : { body: printExactJson(body as ExactJson) }),
  });
  const { status, headers: received, text = '' } = response;
  expect(received).not.toHaveProperty('access-control-allow-origin');
  const call = [method, `/__admin${path}`] as const;
  if (controlCheck.find(call))
    expect(controlCheck.checkResponse(call, status, received['content-type'], text)).toEqual([]);
  const json = text ? parseExactJson(text) : undefined;
  if (status >= 400) expect(json).toMatchObject({ status: BigInt(status) });
  return { status, headers: received, body: json };
}
