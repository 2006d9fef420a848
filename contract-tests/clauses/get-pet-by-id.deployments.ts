import { answerOtherwise, answerWith, changeAnimal, everySecond, mixUp } from '../deployments/changes.ts';
import { createStoreAnswer } from '../deployments/conforming/store-behaviour.ts';
import { type Answer, breaking } from '../deployments/deployment.ts';
import { answering } from '../deployments/generated-deployments.ts';
import { hasKey, type IsMeant, idOf, isAt, isFetch } from '../deployments/messages.ts';
import { answered, createError } from '../deployments/replies.ts';
import { alter } from '../deployments/values.ts';

/** The oldest animals are lost beyond so many. */
const ROOM_FOR_ANIMALS = 60;

const hasSmallId: IsMeant = (one) => hasKey(one) && /^\/pets\/[1-9]\d{0,2}$/.test(one.path);

/** Finds an animal also by the id before or after its own, if the ids are so large that a double cannot tell them apart. */
const answerNear: Answer = async (request, asMock) => {
  const reply = await asMock(request);
  if (reply.status !== 404 || !/^-?\d{16,18}$/.test(idOf(request))) return reply;
  const near = [-1n, 1n].map((step) => asMock({ ...request, path: `/pets/${BigInt(idOf(request)) + step}` }));
  return (await Promise.all(near)).find(({ status }) => status === 200) ?? reply;
};

const fetched = answered(200, isFetch);

export const getPetByIdDeployments = breaking({
  'get-pet/success': {
    ...answering(
      ['an animal by its id'],
      [
        'with status 203',
        'with status 404',
        'with status 500',
        'with a page',
        'without its end',
        'in an envelope',
        'without an id',
        'without a name',
        'with a string for the id',
        'with a string for the categoryId',
      ],
    ),
    'has room for 60 animals, and loses the oldest ones without a word': () =>
      createStoreAnswer({ disturb: (animals) => void animals.splice(0, animals.length - ROOM_FOR_ANIMALS) }),
    'has no animal in every second reply by id': everySecond(fetched, () => createError(404)),
  },
  'get-pet/right-animal': {
    ...answering(['an animal by its id'], ['with another id']),
    'mixes up animals that are fetched at once': mixUp(hasSmallId, (_, { path }) => ({ path })),
  },
  'get-pet/same-as-listed': {
    ...answering(['an animal by its id'], ['with another name', 'with another categoryId']),
    'shows another name of an animal in every second reply by id': everySecond(
      fetched,
      changeAnimal(alter('name', (name) => `${name}!`)),
    ),
  },
  'get-pet/unknown-is-404': {
    ...answering(['an unknown id'], ['with status 200', 'with status 409', 'with status 500']),
    'answers an animal to ids that are the same as a double': [
      answerOtherwise(isFetch, answerNear),
      { options: { profile: 'edge-cases' } },
    ],
  },
  'get-pet/non-integer': {
    'answers 507 to an id that is not an integer': answerWith(isAt('abc'), 507),
  },
});
