import type { JsonObject } from '../../../common/exact-json.ts';
import {
  answerOtherwise,
  answerWith,
  changeList,
  changeQuery,
  createError,
  createReply,
  isList,
  readJson,
  withParameters,
} from '../changes.ts';
import type { Deployment } from '../deployment.ts';

/** Refuses lists that are lawful. */
function refuse(isMeant: (query: URLSearchParams) => boolean) {
  return answerWith((request) => isList(request) && isMeant(request.query), createError(400));
}

/** Deployments that filter by status in a wrong way. */
export const statusDeployments: readonly Deployment[] = [
  {
    name: 'ignores status',
    breaks: ['list-pets/status-filters'],
    createBehaviour: changeQuery(() => ({ status: null })),
  },
  ...['available', 'pending', 'sold'].map((status) => ({
    name: `ignores the status ${status}`,
    breaks: ['list-pets/status-filters'],
    createBehaviour: changeQuery((query) => (query.get('status') === status ? { status: null } : {})),
  })),
  {
    name: 'takes pending for sold in the filter',
    breaks: ['list-pets/status-filters', 'list-pets/status-complete', 'create-pet/stored'],
    createBehaviour: changeQuery((query) => (query.get('status') === 'pending' ? { status: 'sold' } : {})),
  },
  {
    name: 'refuses the status pending in the filter',
    breaks: ['list-pets/success'],
    createBehaviour: refuse((query) => query.get('status') === 'pending'),
  },
  {
    name: 'lists animals without a status as available',
    breaks: ['list-pets/status-filters'],
    createBehaviour: answerOtherwise(
      ({ method, path, query }) =>
        method === 'GET' && path === '/pets' && query.get('status') === 'available',
      async (request, asMock) => {
        const reply = await asMock(request);
        if (reply.status !== 200) return reply;
        const all = await asMock({ ...request, query: withParameters(request.query, { status: null }) });
        const others = (readJson(all.body) as JsonObject[]).filter(({ status }) => status === undefined);
        const list = [...(readJson(reply.body) as JsonObject[]), ...others];
        return createReply(200, list.slice(0, Number(request.query.get('limit') ?? 20)));
      },
    ),
  },
  {
    name: 'lists the animals that have not the status',
    breaks: [
      'list-pets/filter-before-limit',
      'list-pets/status-filters',
      'list-pets/status-complete',
      'create-pet/stored',
    ],
    createBehaviour: filterAfterwards((animal, status) => animal.status !== status),
  },
  {
    name: 'looks at the status after the limit',
    breaks: ['list-pets/filter-before-limit', 'create-pet/stored'],
    createBehaviour: filterAfterwards((animal, status) => animal.status === status),
  },
  {
    name: 'looks at the status after the limit where limit is left out',
    breaks: ['list-pets/limit-default'],
    createBehaviour: filterAfterwards(
      (animal, status) => animal.status === status,
      (query) => !query.has('limit'),
    ),
  },
  ...['first', 'last'].map((which) => ({
    name: `leaves out the ${which} animal of a status`,
    options: { animals: 60 },
    breaks: ['list-pets/status-complete', ...(which === 'last' ? ['create-pet/stored'] : [])],
    createBehaviour: changeList((list, { query }) => {
      if (!query.has('status') || list.length < 5) return list;
      return which === 'first' ? list.slice(1) : [...list.slice(0, -2), ...list.slice(-1)];
    }),
  })),
  {
    name: 'answers null to an unknown status',
    breaks: ['list-pets/status-invalid'],
    createBehaviour: answerWith(({ query }) => query.get('status') === 'lost', createReply(200, null)),
  },
  {
    name: 'answers 204 to an unknown status',
    breaks: ['list-pets/status-invalid'],
    createBehaviour: answerWith(({ query }) => query.get('status') === 'lost', {
      status: 204,
      headers: {},
      body: '',
    }),
  },
];

/** Filters what is left by the limit. */
function filterAfterwards(
  isListed: (animal: JsonObject, status: string) => boolean,
  isMeant: (query: URLSearchParams) => boolean = () => true,
) {
  return answerOtherwise(
    ({ query, ...request }) =>
      isList({ ...request, query }) &&
      isMeant(query) &&
      /^(available|pending|sold)$/.test(query.get('status') ?? ''),
    async (request, asMock) => {
      const reply = await asMock({ ...request, query: withParameters(request.query, { status: null }) });
      if (reply.status !== 200) return reply;
      const list = readJson(reply.body) as JsonObject[];
      return createReply(
        200,
        list.filter((animal) => isListed(animal, request.query.get('status') ?? '')),
      );
    },
  );
}
