import type { JsonObject } from '../../../common/exact-json.ts';
import {
  answerWith,
  changeJson,
  changeList,
  changeListed,
  changeReply,
  createError,
  createReply,
  hasKey,
  isCreation,
  isFetch,
  isList,
  without,
} from '../changes.ts';
import type { Deployment } from '../deployment.ts';

const differs = ['list-pets/pets', 'get-pet/same-as-listed'];

/** What may be wrong with the first animal of a list, and the clauses that it breaks. */
const first: Readonly<Record<string, [(animal: JsonObject) => JsonObject, string[]]>> = {
  'without an id': [(animal) => without(animal, 'id'), ['list-pets/pets']],
  'with a string for an id': [(animal) => ({ ...animal, id: String(animal.id) }), ['list-pets/pets']],
  'with an id of 1.5': [(animal) => ({ ...animal, id: 1.5 }), ['list-pets/pets']],
  'with an id beyond int64': [(animal) => ({ ...animal, id: 2n ** 63n }), ['list-pets/pets']],
  'without a name': [(animal) => without(animal, 'name'), differs],
  'with null for a name': [(animal) => ({ ...animal, name: null }), differs],
  'with a categoryId of null': [(animal) => ({ ...animal, categoryId: null }), differs],
  'with a string for a categoryId': [
    (animal) => ({ ...animal, categoryId: String(animal.categoryId) }),
    differs,
  ],
  'with an unknown status': [
    (animal) => ({ ...animal, status: 'lost' }),
    [...differs, 'list-pets/status-filters'],
  ],
  'with a status in upper case': [
    (animal) => ({ ...animal, status: String(animal.status ?? 'sold').toUpperCase() }),
    [...differs, 'list-pets/status-filters'],
  ],
  'with another name than its own': [(animal) => ({ ...animal, name: 'Rex' }), ['get-pet/same-as-listed']],
  'with another category than its own': [
    (animal) => ({ ...animal, categoryId: 0n }),
    ['get-pet/same-as-listed'],
  ],
};

/** Deployments whose lists hold what is wrong. */
export const listedPetDeployments: readonly Deployment[] = [
  ...Object.entries(first).map(([what, [change, breaks]]) => ({
    name: `lists an animal ${what}`,
    breaks,
    createBehaviour: changeListed((animal) => (animal.id === 1n ? change(animal) : animal)),
  })),
  {
    name: 'lists every id as a string',
    breaks: ['list-pets/pets'],
    createBehaviour: changeListed((animal) => ({ ...animal, id: String(animal.id) })),
  },
  {
    name: 'lists null among animals',
    breaks: ['list-pets/pets'],
    createBehaviour: changeList((list, { query }) =>
      list.map((animal) => (animal.id === 8n && query.get('limit') === '10' ? null : animal)),
    ),
  },
  {
    name: 'lists ids alone',
    breaks: ['list-pets/pets', 'create-pet/stored'],
    createBehaviour: changeList((list) => list.map(({ id }) => id ?? null)),
  },
  {
    name: 'lists animals without their status',
    breaks: ['list-pets/status-filters', 'get-pet/same-as-listed', 'create-pet/stored'],
    createBehaviour: changeListed((animal) => without(animal, 'status')),
  },
  {
    name: 'has null for the status of animals that have none',
    breaks: ['list-pets/pets', 'get-pet/success', 'create-pet/pet'],
    createBehaviour: changeJson(
      () => true,
      (value) => (Array.isArray(value) ? value.map(withStatus) : withStatus(value as JsonObject)),
    ),
  },
  {
    name: 'lists an animal twice',
    breaks: ['list-pets/unique-ids'],
    createBehaviour: changeList((list, { query }) =>
      list.length > 1 && list.length < Number(query.get('limit') ?? 20)
        ? [...list, ...list.slice(0, 1)]
        : list,
    ),
  },
  {
    name: 'lists two animals with one id',
    breaks: ['list-pets/unique-ids'],
    createBehaviour: changeListed((animal, index) => (index === 99 ? { ...animal, id: 1n } : animal)),
  },
  {
    name: 'answers null where no animal has the status',
    breaks: ['list-pets/success'],
    options: { animals: 30 },
    createBehaviour: () => {
      let hasAdded = false;
      return async (request, asMock) => {
        const isEmpty = isList(request) && hasKey(request) && request.query.get('status') === 'sold';
        const reply = await asMock(request);
        hasAdded ||= isCreation(request) && reply.status === 201;
        return isEmpty && !hasAdded ? createReply(200, null) : reply;
      };
    },
  },
  {
    name: 'answers 404 to a status that comes before a limit',
    breaks: ['list-pets/success'],
    createBehaviour: answerWith(
      (request) => isList(request) && [...request.query.keys()].join() === 'status,limit',
      createError(404),
    ),
  },
  {
    name: 'puts a list into an envelope',
    breaks: ['list-pets/success'],
    createBehaviour: changeList((list) => ({ data: list })),
  },
  {
    name: 'lists animals by their ids',
    breaks: ['list-pets/success'],
    createBehaviour: changeList((list) =>
      Object.fromEntries(list.map((animal) => [String(animal.id), animal])),
    ),
  },
  {
    name: 'answers a list 201',
    breaks: ['list-pets/success', 'list-pets/limit-bounds'],
    createBehaviour: changeReply(isListed, () => ({ status: 201 })),
  },
  {
    name: 'answers a list 206 where it is cut short',
    breaks: ['list-pets/success'],
    createBehaviour: changeReply(
      (request, reply) => isListed(request, reply) && request.query.get('limit') === '10',
      () => ({ status: 206 }),
    ),
  },
  ...[204, 404].map((status) => ({
    name: `answers an empty list ${status}`,
    breaks: ['list-pets/success'],
    options: { profile: 'empty' as const },
    createBehaviour: changeReply(
      (request, reply) => isListed(request, reply) && String(reply.body) === '[]',
      () => ({
        status,
        headers: { 'content-type': 'application/json' },
        body: status === 204 ? '' : '{"code":"none","message":"There is none.","status":404}',
      }),
    ),
  })),
  {
    name: 'cuts a list off in the middle',
    breaks: ['list-pets/success'],
    createBehaviour: changeReply(isListed, ({ body }) => ({ body: body.slice(0, -9) })),
  },
  ...['text/plain', 'application/vnd.pets+json', 'application/x-ndjson', ''].map((type) => ({
    name: `sends a list ${type === '' ? 'without a media type' : `as ${type}`}`,
    breaks: ['service/media-type'],
    createBehaviour: changeReply(isListed, () => ({ headers: type === '' ? {} : { 'content-type': type } })),
  })),
  {
    name: 'sends an animal by its id as text/html',
    breaks: ['service/media-type'],
    createBehaviour: changeReply(
      (request, { status }) => isFetch(request) && status === 200,
      () => ({ headers: { 'content-type': 'text/html' } }),
    ),
  },
];

function isListed(request: Parameters<typeof isList>[0], { status }: { readonly status: number }): boolean {
  return isList(request) && status === 200;
}

function withStatus(animal: JsonObject): JsonObject {
  return { ...animal, status: animal.status ?? null };
}
