import { createClient } from './core/client.ts';
import type { SendRequest } from './core/send-request.ts';
import type { Target } from './core/target.ts';
import { CouldNotTell } from './report.ts';

/**
 * Asks a deployment once: without an answer, or with a key that is refused, every clause would fail and none would tell
 * anything.
 *
 * @returns a hint, should the base URL seem to be a wrong one.
 * @throws CouldNotTell, or Skipped when it answers nothing but 429.
 */
export async function expectReady(
  target: Target,
  sendRequest?: SendRequest,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { response, failure } = await createClient(target, sendRequest, signal).send({ path: '/pets' });
  const { baseUrl } = target;
  if (response === undefined) throw new CouldNotTell(`${baseUrl} cannot be reached: ${failure}`);
  const { status } = response;
  if (status === 401) {
    throw new CouldNotTell(`${baseUrl} refuses the API key: GET /pets with it is answered 401`);
  }
  if (status === 403) {
    throw new CouldNotTell(
      `${baseUrl} refuses GET /pets with 403: does a gateway want a header (--header), or is the key not for this?`,
    );
  }
  const isElsewhere = status === 404 || (status >= 300 && status < 400);
  return isElsewhere
    ? `GET ${baseUrl}/pets is answered ${status}: is the base URL complete? It ends with /v1 as a rule.`
    : undefined;
}
