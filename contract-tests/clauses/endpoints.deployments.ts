import type { ExactJson } from '../../common/json/exact-json.ts';
import { change, changeAnimal, everySecond } from '../deployments/changes.ts';
import { type Answer, breaking } from '../deployments/deployment.ts';
import { answering } from '../deployments/generated-deployments.ts';
import { isAddition, isCreation, isFetch } from '../deployments/messages.ts';
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

/** The id of an animal that is hidden, but not on a page that has fewer animals. */
const HIDDEN_ID = 27n;
const SHORT_PAGE = 5;

/** Hides an animal in lists once another was added. */
function hideOnceAdded(): Answer {
  let hasAdded = false;
  const hide = change.list((list) => list.filter(({ id }) => id !== HIDDEN_ID || list.length < SHORT_PAGE))();
  return (request, asMock) => {
    hasAdded ||= isAddition(request);
    return hasAdded ? hide(request, asMock) : asMock(request);
  };
}

const fetched = answered(200, isFetch);

export const endpointsDeployments = breaking({
  'store/kept': {
    ...answering(['a list'], ['with another name', 'with another categoryId']),
    ...answering(['a list by status', 'a list without limit'], ['with another name']),
    'forgets the first animal that was added when it refuses a body': forgetFirst,
    'lists an animal no longer once another is added': [hideOnceAdded, { options: { animals: 30 } }],
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
