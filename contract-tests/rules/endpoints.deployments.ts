import { setTimeout as delay } from 'node:timers/promises';
import { type ExactJson, type JsonObject, printExactJson } from '../../common/json/exact-json.ts';
import { change, changeAnimal, changeListed, everySecond } from '../deployments/changes.ts';
import { createStoreAnswer, statuses } from '../deployments/conforming/store-behaviour.ts';
import { type Answer, breaking, type CreateAnswer } from '../deployments/deployment.ts';
import { answering } from '../deployments/generated-deployments.ts';
import { isAddition, isAt, isCreation, isFetch, isListOf, sentBy } from '../deployments/messages.ts';
import { animalOf, answered, createError } from '../deployments/replies.ts';
import { drop, set, turnStatus } from '../deployments/values.ts';

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

/** How long an animal is being added, in ms. */
const TAKES_MS = 3;

/** Adds each animal with the status that `toStatus` returns after a while, and returns it as it was sent. */
function keepOther(toStatus: (sent: JsonObject) => () => ExactJson | undefined): Answer {
  return async (request, asMock) => {
    const sent = sentBy(request);
    if (!isAddition(request) || !statuses.some((status) => status === sent.status)) return asMock(request);
    const find = toStatus(sent);
    await delay(TAKES_MS);
    const reply = await asMock({ ...request, body: printExactJson({ ...sent, status: find() ?? null }) });
    return reply.status === 201
      ? { ...reply, ...changeAnimal(set({ status: sent.status ?? null }))(reply, request) }
      : reply;
  };
}

/** Keeps the status of the last body in a variable that all requests share. */
function keepStatusOfOther(): Answer {
  let last: ExactJson | undefined;
  return keepOther(({ status }) => {
    last = status;
    return () => last;
  });
}

function keepAsPending(): Answer {
  let adding = 0;
  return keepOther(({ status }) => {
    adding += 1;
    return () => {
      adding -= 1;
      return adding > 0 ? 'pending' : status;
    };
  });
}

/** The oldest animals are lost beyond so many. */
const ROOM_FOR_ANIMALS = 60;

const fetched = answered(200, isFetch);

/** For how many requests an animal is kept. */
const REQUESTS_KEPT = 40;

/** Forgets each animal that was added, some requests later. */
const forgetLater = () => {
  let requests = 0;
  const added = new Map<unknown, number>();
  return createStoreAnswer({
    disturb: (animals) => {
      requests += 1;
      for (const { id } of animals) if (Number(id) >= 7_000_000 && !added.has(id)) added.set(id, requests);
      const isOver = (id: unknown) => requests > (added.get(id) ?? requests) + REQUESTS_KEPT;
      animals.splice(0, animals.length, ...animals.filter(({ id }) => !isOver(id)));
    },
  });
};

/** Shows another status of one animal in every second list of all. */
const turnOne: CreateAnswer = everySecond(
  answered(
    200,
    isListOf((_, status) => status === null),
  ),
  changeListed((animal) => (animal.id === 5n ? turnStatus(animal) : animal)),
);

export const endpointsDeployments = breaking({
  'store/sequences': {
    'forgets each animal some requests after it was added': forgetLater,
  },
  'store/steady': {
    'shows another status of one animal in every second list of all': turnOne,
    'shows another status of one animal by its id': change.json(isAt('2'), turnStatus),
  },
  'store/kept': {
    ...answering(['a list by status', 'a list without limit'], ['with another name']),
    'has room for 60 animals, and loses the oldest ones without a word': () =>
      createStoreAnswer({ disturb: (animals) => void animals.splice(0, animals.length - ROOM_FOR_ANIMALS) }),
  },
  'get-pet/finds-added': {
    'forgets the first animal that was added when it refuses a body': forgetFirst,
  },
  'create-pet/status-kept': {
    'returns a new animal as it was sent, and keeps the status of another one at once': keepStatusOfOther,
    'keeps every new animal at once as pending, and returns it as it was sent': keepAsPending,
  },
  'get-pet/same-as-listed': {
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
