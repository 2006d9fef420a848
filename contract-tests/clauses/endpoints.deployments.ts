import type { ExactJson } from '../../common/json/exact-json.ts';
import { changeAnimal, everySecond } from '../deployments/changes.ts';
import { type Answer, breaking } from '../deployments/deployment.ts';
import { answering } from '../deployments/generated-deployments.ts';
import { isCreation, isFetch } from '../deployments/messages.ts';
import { animalOf, answered, createError } from '../deployments/replies.ts';
import { drop, turnStatus } from '../deployments/values.ts';

function forgetFirst(): Answer {
  let first: ExactJson | undefined;
  let isForgotten = false;
  return async (request, asMock) => {
    if (isForgotten && request.path === `/pets/${first}`) return createError(404);
    const reply = await asMock(request);
    if (reply.status === 201) first ??= animalOf(reply).id;
    isForgotten ||= first !== undefined && isCreation(request) && reply.status === 400;
    return reply;
  };
}

const fetched = answered(200, isFetch);

export const endpointsDeployments = breaking({
  'store/kept': {
    ...answering(['a list'], ['with another name', 'with another categoryId']),
    ...answering(['a list by status', 'a list without limit'], ['with another name']),
    'forgets the first animal that was added when it refuses a body': forgetFirst,
  },
  'store/steady': {
    'shows another status of an animal in every second reply by id': everySecond(
      fetched,
      changeAnimal(turnStatus),
    ),
    'shows no status of an animal in every second reply by id': everySecond(
      fetched,
      changeAnimal(drop('status')),
    ),
  },
});
