import { ApiError, methodNotAllowed } from '../../common/http/api-error.ts';
import { isSessionName, wrongName } from '../../common/http/session-path.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { isGetPetRemoved } from '../api/operations.ts';
import type { Context } from './context.ts';

/** Throws the error of a request. */
export type Refuse = (context: Context) => never;

/** Creates the refusal for a path that has other methods only. @param allowed Value of the header Allow. */
export function refuseMethod(allowed: string): Refuse {
  return (context) => throwRefusal(context, () => allowed);
}

/** Refuses other methods at the path of the quickstart. */
export const refuseMethodOfMessages = refuseMethod('POST');

/** Refuses other methods at the path of all animals. */
export const refuseMethodOfPets: Refuse = (context) => {
  throwRefusal(context, () => [...listReadMethods(context), 'POST'].join(', '));
};

/** Refuses other methods at the path of an animal, which has none after the removal of getPet. */
export const refuseMethodOfPet: Refuse = (context) => {
  if (isGetPetRemoved(context)) throw nothingAt(context.path);
  throwRefusal(context, () => listReadMethods(context).join(', '));
};

/** Throws the error of a method that a path does not have. @param listAllowed returns the value of the header Allow */
function throwRefusal(context: Context, listAllowed: () => string): never {
  const { session, method, path } = context;
  // Whether there is HEAD is another choice.
  if (session.behaviour.otherMethods === 405 || method === 'HEAD')
    throw methodNotAllowed(method, listAllowed());
  session.noteActed('otherMethods');
  throw nothingAt(path);
}

/** Lists the methods that read animals. Whoever refuses a method names them to the client. */
function listReadMethods({ session }: Context): readonly string[] {
  if (session.behaviour.head === 200) return ['GET', 'HEAD'];
  session.noteActed('head');
  return ['GET'];
}

/** The refusal of methods at the path of each operation. */
export const methodRefusals: Readonly<Record<OperationName, Refuse>> = {
  listPets: refuseMethodOfPets,
  createPet: refuseMethodOfPets,
  getPet: refuseMethodOfPet,
  createMessage: refuseMethodOfMessages,
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
  return new ApiError('not_found', message).ofKind('path');
}
