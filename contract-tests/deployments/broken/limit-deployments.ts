import type { JsonObject } from '../../../common/exact-json.ts';
import {
  animalsOf,
  answerOtherwise,
  answerWith,
  changeQuery,
  createEmpty,
  createReply,
  isListOf,
  isListWith,
  refuse,
  withParameters,
} from '../changes.ts';
import {
  type AskMock,
  broken,
  type CreateBehaviour,
  type DeployedRequest,
  type Deployment,
  forEach,
} from '../deployment.ts';

/** Lists more than 100 animals, which the mock does by status alone. */
async function listAll(request: DeployedRequest, asMock: AskMock): Promise<JsonObject[]> {
  const lists = ['available', 'pending', 'sold'].map(async (status) =>
    animalsOf(await asMock({ ...request, query: withParameters(request.query, { limit: '100', status }) })),
  );
  return (await Promise.all(lists)).flat();
}

/** Lists as many of its 300 animals as a limit says that is too large, and all of them where it says nothing. */
function answerAll(isMeant: (limit: string | null) => boolean): CreateBehaviour {
  return answerOtherwise(
    isListOf((limit, status) => status === null && isMeant(limit)),
    async (request, asMock) => {
      const reply = await asMock(request);
      const limit = Number(request.query.get('limit')) || 300;
      return reply.status === 401
        ? reply
        : createReply(200, (await listAll(request, asMock)).slice(0, limit));
    },
  );
}

/** Deployments that take limit in a wrong way. */
export const limitDeployments: readonly Deployment[] = [
  ...broken('list-pets/limit-default', {
    ...forEach(['10', '19', '21', '100'], (other) => [
      `lists ${other} animals where limit is left out`,
      changeQuery((limit) => ({ limit: limit ?? other })),
    ]),
    'lists 10 sold animals where limit is left out': changeQuery((limit, status) => ({
      limit: limit ?? (status === 'sold' ? '10' : '20'),
    })),
    'lists all animals for a parameter that it does not know': changeQuery((limit, status, query) =>
      limit === null && status === null && query.size > 0 ? { limit: '100' } : {},
    ),
  }),
  ...broken('list-pets/limit-is-a-maximum', {
    'ignores limit': changeQuery(() => ({ limit: null })),
    'lists at least 5 animals': changeQuery((limit) => (/^[1-4]$/.test(limit ?? '') ? { limit: '5' } : {})),
    'ignores limit beside a status that it ignores': changeQuery((limit, status) =>
      limit !== null && status === '' ? { limit: '100', status: null } : {},
    ),
  }),
  ...broken(['list-pets/limit-is-a-maximum', 'list-pets/limit-default'], {
    'ignores limit beside the status sold': changeQuery((limit, status) =>
      limit !== null && status === 'sold' ? { limit: '100' } : {},
    ),
    'lists one animal more than limit says': changeQuery((limit) =>
      Number(limit) >= 1 && Number(limit) < 100 ? { limit: String(Number(limit) + 1) } : {},
    ),
  }),
  ...broken(['list-pets/limit-is-a-maximum', 'list-pets/status-complete', 'create-pet/stored'], {
    'ignores limit beside a status': changeQuery((_, status) => (status === null ? {} : { limit: null })),
  }),
  ...broken(
    ['list-pets/limit-default', 'list-pets/limit-most-100'],
    { 'lists all animals where limit is left out': answerAll((limit) => limit === null) },
    { animals: 300 },
  ),
  ...broken(
    'list-pets/limit-most-100',
    {
      'takes a limit of 101': answerAll((limit) => limit === '101'),
      'lists all animals for a limit of 0': answerAll((limit) => limit === '0'),
      'lists all animals for a limit that is not a number': answerAll((limit) => limit === 'abc'),
    },
    { animals: 300 },
  ),
  ...broken('list-pets/status-filters', {
    'ignores status beside a limit that is not valid': changeQuery((limit) =>
      limit === 'abc' ? { limit: null, status: null } : {},
    ),
  }),
  ...broken(
    'list-pets/limit-bounds',
    forEach(['1', '100'], (bound) => [`refuses a limit of ${bound}`, refuse(isListWith({ limit: bound }))]),
  ),
  ...broken('list-pets/success', {
    'refuses a limit above 50, but for 100': refuse(
      isListOf((limit) => /^[5-9]\d$/.test(limit ?? '') && limit !== '50'),
    ),
    'refuses a limit beside a status': refuse(isListOf((limit, status) => limit !== null && status !== null)),
  }),
  ...broken('list-pets/limit-invalid', {
    'answers an object to a limit that is not a number': answerWith(
      isListWith({ limit: 'abc' }),
      createReply(200, {}),
    ),
    'answers 204 to a limit of 0': answerWith(isListWith({ limit: '0' }), createEmpty(204)),
    'redirects from a limit above 100': answerWith(
      isListOf((limit) => Number(limit) > 100),
      createEmpty(302, { location: '/v1/pets?limit=100' }),
    ),
  }),
];
