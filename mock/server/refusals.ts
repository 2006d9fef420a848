import { ApiError } from '../../common/http/api-error.ts';
import { nothingAt } from '../service/answer.ts';
import { methodNotAllowed } from '../service/refusals.ts';
import { isSessionName, wrongName } from '../session/session-name.ts';
import type { HttpCall } from './http-call.ts';

type Refuse = (call: HttpCall) => never;

/** Creates the refusal for a path that has other methods only. @param allowed Value of the header Allow. */
export function refuseMethod(allowed: string): Refuse {
  return ({ method }) => {
    throw methodNotAllowed(method, allowed);
  };
}

/** Refuses a path that was made of the base URL, instead of the URL of the mock, and `/__admin`. */
export function refuseControlPath({ path }: HttpCall): never {
  throw new ApiError(
    'not_found',
    `There is nothing at ${path}. The control API is not under /v1, but at /__admin.`,
  );
}

/** Refuses what no route has answered: a session with a wrong name has no routes. */
export function refusePath(call: HttpCall): never {
  throw toUnknown(call);
}

/** Returns the error of a request that no route has answered. */
export function toUnknown({ sessionName, path }: HttpCall): ApiError {
  const hasWrongName = sessionName !== undefined && !isSessionName(sessionName);
  return hasWrongName ? wrongName('A session', sessionName) : nothingAt(path);
}
