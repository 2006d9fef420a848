import type { Reply } from '../../common/http/reply.ts';
import { isGetPetRemoved } from '../api/operations.ts';
import type { Outcome } from '../session/fault-effects.ts';
import type { Context, LastStep } from './context.ts';
import { refuseMethodOfPet, refuseMethodOfPets, refusePath } from './refusals.ts';
import { enterOperation, takeSteps } from './take-steps.ts';

const LIST = '/v1/pets/';

/** Runs a request for animals whose path has a slash at its end, as the behaviour of the session requires. */
export function runWithSlash(context: Context): Promise<Outcome> {
  const { trailingSlash } = context.session.behaviour;
  const isRemoved = context.path !== LIST && isGetPetRemoved(context);
  if (trailingSlash === 'notFound' || isRemoved) return takeSteps(context, refusePath);
  const step = trailingSlash === 'redirect' ? redirect : findStep(context);
  return takeSteps(context, (entered) => {
    entered.session.noteActed('trailingSlash');
    return step(entered);
  });
}

/** Returns the last step of the path without the slash. */
function findStep(context: Context): LastStep {
  const { method, path } = context;
  const isRead = method === 'GET' || method === 'HEAD';
  if (path !== LIST) return isRead ? enterOperation(context, 'getPet') : refuseMethodOfPet;
  if (isRead) return enterOperation(context, 'listPets');
  return method === 'POST' ? enterOperation(context, 'createPet') : refuseMethodOfPets;
}

/** Source: RFC 9110 section 15.4.8 */
function redirect({ basePath, path, url }: Context): Reply {
  const query = url.slice(path.length).replace(/#.*/s, '');
  const Location = `${basePath}${path.slice('/v1'.length, -1)}${query}`;
  return { status: 307, headers: { Location, 'Content-Length': 0 }, body: '' };
}
