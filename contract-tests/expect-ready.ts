import { toOneLine } from '../common/harmless-text.ts';
import { createClient } from './core/client.ts';
import { hideKeys } from './core/hide-keys.ts';
import { Skipped } from './core/result.ts';
import type { SendRequest } from './core/send-request.ts';
import type { Target } from './core/target.ts';
import { CouldNotTell } from './report.ts';

/**
 * Asks a deployment once: without an answer, or with a key that is refused, every clause would fail and none would tell
 * anything.
 *
 * @returns a hint, should the base URL seem to be a wrong one.
 * @throws CouldNotTell, without any key.
 */
export async function expectReady(
  target: Target,
  sendRequest?: SendRequest,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { baseUrl } = target;
  const fail = (why: string): never => {
    throw new CouldNotTell(toOneLine(hideKeys(why, target)));
  };
  const client = createClient(target, sendRequest, signal);
  const { response, failure } = await client.send({ path: '/pets' }).catch((error) => {
    // It answers nothing but 429, or the run has ended.
    if (error instanceof Skipped) return fail(error.message);
    throw error;
  });
  if (response === undefined) return fail(`${baseUrl} cannot be reached: ${failure}`);
  const { status } = response;
  if (status === 401) return fail(`${baseUrl} refuses the API key: GET /pets with it is answered 401`);
  if (status === 403) {
    return fail(
      `${baseUrl} refuses GET /pets with 403: does a gateway want a header (--header), or is the key not for this?`,
    );
  }
  const isElsewhere = status === 404 || (status >= 300 && status < 400);
  return isElsewhere
    ? `GET ${baseUrl}/pets is answered ${status}: is the base URL complete? It ends with /v1 as a rule.`
    : undefined;
}
