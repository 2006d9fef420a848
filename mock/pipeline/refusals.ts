import { type ApiError, methodNotAllowed } from '../../common/http/api-error.ts';
import { isSessionName, wrongName } from '../../common/http/session-path.ts';
import { nothingAt } from '../service/answer.ts';
import type { Context } from './context.ts';

/** Throws the error of a request. */
export type Refuse = (context: Context) => never;

/** Creates the refusal for a path that has other methods only. @param allowed Value of the header Allow. */
export function refuseMethod(allowed: string): Refuse {
  return ({ method }) => {
    throw methodNotAllowed(method, allowed);
  };
}

/** Refuses what no route has answered: a session with a wrong name has no routes. */
export function refusePath(context: Context): never {
  throw toUnknown(context);
}

/** Returns the error of a request that no route has answered. */
export function toUnknown({ sessionName, path }: Context): ApiError {
  const hasWrongName = sessionName !== undefined && !isSessionName(sessionName);
  return hasWrongName ? wrongName('A session', sessionName) : nothingAt(path);
}
