import type { JsonObject } from '../../../common/exact-json.ts';
import {
  type AsMock,
  answerOtherwise,
  answerWith,
  changeQuery,
  createError,
  createReply,
  isList,
  readJson,
  withParameters,
} from '../changes.ts';
import type { DeployedRequest, Deployment } from '../deployment.ts';

/** Changes the query that the mock gets where the two parameters are of a kind. */
function changeWhere(
  isMeant: (limit: string | null, status: string | null) => boolean,
  change: Readonly<Record<string, string | null>>,
) {
  return changeQuery((query) => (isMeant(query.get('limit'), query.get('status')) ? change : {}));
}

/** Asks for more than 100 animals: those of each status. */
async function listAll(request: DeployedRequest, asMock: AsMock): Promise<JsonObject[]> {
  const lists = ['available', 'pending', 'sold'].map(async (status) => {
    const query = withParameters(request.query, { limit: '100', status });
    return readJson((await asMock({ ...request, query })).body) as JsonObject[];
  });
  return (await Promise.all(lists)).flat();
}

function answersAllFor(
  name: string,
  isMeant: (limit: string | null) => boolean,
  breaks: string[],
): Deployment {
  return {
    name,
    breaks,
    options: { animals: 300 },
    createBehaviour: answerOtherwise(
      (request) => isList(request) && !request.query.has('status') && isMeant(request.query.get('limit')),
      async (request, asMock) => {
        const reply = await asMock(request);
        if (reply.status === 401) return reply;
        return createReply(
          200,
          (await listAll(request, asMock)).slice(0, Number(request.query.get('limit')) || 300),
        );
      },
    ),
  };
}

/** Deployments that take limit in a wrong way. */
export const limitDeployments: readonly Deployment[] = [
  {
    name: 'lists all animals for a parameter that it does not know',
    breaks: ['list-pets/limit-default'],
    createBehaviour: changeQuery((query) =>
      ['limit', 'status'].some((name) => query.has(name)) || query.size === 0 ? {} : { limit: '100' },
    ),
  },
  {
    name: 'ignores limit beside a status that it ignores',
    breaks: ['list-pets/limit-is-a-maximum'],
    createBehaviour: changeWhere((limit, status) => limit !== null && status === '', {
      limit: '100',
      status: null,
    }),
  },
  {
    name: 'ignores limit beside the status sold',
    breaks: ['list-pets/limit-is-a-maximum', 'list-pets/limit-default'],
    createBehaviour: changeWhere((limit, status) => limit !== null && status === 'sold', { limit: '100' }),
  },
  {
    name: 'ignores status beside a limit that is not valid',
    breaks: ['list-pets/status-filters'],
    createBehaviour: changeWhere((limit) => limit === 'abc', { limit: null, status: null }),
  },
  ...['10', '19', '21', '100'].map((limit) => ({
    name: `lists ${limit} animals where limit is left out`,
    breaks: ['list-pets/limit-default'],
    createBehaviour: changeQuery((query) => ({ limit: query.get('limit') ?? limit })),
  })),
  {
    name: 'lists 10 sold animals where limit is left out',
    breaks: ['list-pets/limit-default'],
    createBehaviour: changeQuery((query) => ({
      limit: query.get('limit') ?? (query.get('status') === 'sold' ? '10' : '20'),
    })),
  },
  answersAllFor('lists all animals where limit is left out', (limit) => limit === null, [
    'list-pets/limit-default',
    'list-pets/limit-most-100',
  ]),
  answersAllFor('takes a limit of up to 1000', (limit) => Number(limit) > 100, ['list-pets/limit-most-100']),
  answersAllFor('takes a limit of 101', (limit) => limit === '101', ['list-pets/limit-most-100']),
  answersAllFor('lists all animals for a limit of 0', (limit) => limit === '0', ['list-pets/limit-most-100']),
  answersAllFor('lists all animals for a limit that is no number', (limit) => limit === 'abc', [
    'list-pets/limit-most-100',
  ]),
  {
    name: 'ignores limit',
    breaks: ['list-pets/limit-is-a-maximum'],
    createBehaviour: changeQuery(() => ({ limit: null })),
  },
  {
    name: 'ignores limit beside a status',
    breaks: ['list-pets/limit-is-a-maximum', 'list-pets/status-complete', 'create-pet/stored'],
    createBehaviour: changeQuery((query) => (query.has('status') ? { limit: null } : {})),
  },
  {
    name: 'lists at least 5 animals',
    breaks: ['list-pets/limit-is-a-maximum'],
    createBehaviour: changeQuery((query) => (/^[1-4]$/.test(query.get('limit') ?? '') ? { limit: '5' } : {})),
  },
  {
    name: 'lists one animal more than limit says',
    breaks: ['list-pets/limit-is-a-maximum', 'list-pets/limit-default'],
    createBehaviour: changeQuery((query) => {
      const limit = Number(query.get('limit'));
      return limit >= 1 && limit < 100 ? { limit: String(limit + 1) } : {};
    }),
  },
  ...['1', '100'].map((limit) => ({
    name: `refuses a limit of ${limit}`,
    breaks: ['list-pets/limit-bounds'],
    createBehaviour: refuse((query) => query.get('limit') === limit),
  })),
  {
    name: 'refuses a limit above 50, but for 100',
    breaks: ['list-pets/success'],
    createBehaviour: refuse(
      (query) => /^[5-9]\d$/.test(query.get('limit') ?? '') && query.get('limit') !== '50',
    ),
  },
  {
    name: 'refuses a limit beside a status',
    breaks: ['list-pets/success'],
    createBehaviour: refuse((query) => query.has('limit') && query.has('status')),
  },
  {
    name: 'answers an object to a limit that is no number',
    breaks: ['list-pets/limit-invalid'],
    createBehaviour: answerWith(({ query }) => query.get('limit') === 'abc', createReply(200, {})),
  },
  {
    name: 'answers 204 to a limit of 0',
    breaks: ['list-pets/limit-invalid'],
    createBehaviour: answerWith(({ query }) => query.get('limit') === '0', {
      status: 204,
      headers: {},
      body: '',
    }),
  },
  {
    name: 'redirects from a limit above 100',
    breaks: ['list-pets/limit-invalid'],
    createBehaviour: answerWith(({ query }) => Number(query.get('limit')) > 100, {
      status: 302,
      headers: { location: '/v1/pets?limit=100' },
      body: '',
    }),
  },
];

/** Refuses lists that are lawful. */
function refuse(isMeant: (query: URLSearchParams) => boolean) {
  return answerWith((request) => isList(request) && isMeant(request.query), createError(400));
}
