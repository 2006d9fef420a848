import { ApiError, methodNotAllowed } from '../../common/http/api-error.ts';
import { isSessionName, wrongName } from '../../common/http/session-path.ts';
import { isGetPetRemoved } from '../api/operations.ts';
import type { Context } from './context.ts';

/** Throws the error of a request. */
export type Refuse = (context: Context) => never;

/** Creates the refusal for a path that has other methods only. @param allowed Value of the header Allow. */
export function refuseMethod(allowed: string): Refuse {
  return ({ method }) => {
    throw methodNotAllowed(method, allowed);
  };
}

/** Refuses methods at the path of an animal, which has none after the removal of getPet. */
export const refuseMethodOfPet: Refuse = (context) => {
  if (isGetPetRemoved(context)) throw nothingAt(context.path);
  throw methodNotAllowed(context.method, 'GET, HEAD');
};

/** Refuses what no route has answered. */
export const refusePath: Refuse = (context) => {
  throw toUnknown(context);
};

/** Returns the error of a request that no route has answered: a session with a wrong name has no routes. */
export function toUnknown({ sessionName, path }: Context): ApiError {
  const hasWrongName = sessionName !== undefined && !isSessionName(sessionName);
  return hasWrongName ? wrongName('A session', sessionName) : nothingAt(path);
}

export function nothingAt(path: string): ApiError {
  const message = `There is nothing at ${path}. The animals are at /v1/pets and /v1/pets/{petId}.`;
  return new ApiError('not_found', message);
}
