import { isJsonObject, type JsonObject } from '../../../common/exact-json.ts';
import {
  answered,
  answerWith,
  asText,
  type ChangeAnimal,
  changeJson,
  changeList,
  changeListed,
  changeReply,
  createEmpty,
  createError,
  createReply,
  drop,
  hasKey,
  isCreation,
  isFetch,
  isList,
  isListWith,
  sendAs,
  set,
} from '../changes.ts';
import { broken, type CreateBehaviour, type DeployedReply, type Deployment, forEach } from '../deployment.ts';

const differs = ['list-pets/pets', 'get-pet/same-as-listed'];

/** Changes the first animal wherever it is listed. */
function changeFirst(change: ChangeAnimal): CreateBehaviour {
  return changeListed((animal, request) => (animal.id === 1n ? change(animal, request) : animal));
}

/** Changes the replies that are lists. */
function changeLists(change: (reply: DeployedReply) => Partial<DeployedReply>): CreateBehaviour {
  return changeReply(answered(200, isList), change);
}

/** Answers null to the status sold as long as none was added. */
function answerNull(): CreateBehaviour {
  return () => {
    let hasAdded = false;
    return async (request, asMock) => {
      const reply = await asMock(request);
      hasAdded ||= isCreation(request) && reply.status === 201;
      const isEmpty = isList(request) && hasKey(request) && request.query.get('status') === 'sold';
      return isEmpty && !hasAdded ? createReply(200, null) : reply;
    };
  };
}

/** Deployments whose lists hold what is wrong. */
export const listedPetDeployments: readonly Deployment[] = [
  ...broken('list-pets/pets', {
    'lists an animal without an id': changeFirst(drop('id')),
    'lists an animal with a string for an id': changeFirst(asText('id')),
    'lists an animal with an id of 1.5': changeFirst(set({ id: 1.5 })),
    'lists an animal with an id beyond int64': changeFirst(set({ id: 2n ** 63n })),
    'lists null among animals': changeList((list, { query }) =>
      list.map((animal) => (animal.id === 8n && query.get('limit') === '10' ? null : animal)),
    ),
  }),
  ...broken(differs, {
    'lists an animal without a name': changeFirst(drop('name')),
    'lists an animal with null for a name': changeFirst(set({ name: null })),
    'lists an animal with a categoryId of null': changeFirst(set({ categoryId: null })),
    'lists an animal with a string for a categoryId': changeFirst(asText('categoryId')),
  }),
  ...broken([...differs, 'list-pets/status-filters'], {
    'lists an animal with an unknown status': changeFirst(set({ status: 'lost' })),
    'lists an animal with a status in upper case': changeFirst((animal) => ({
      ...animal,
      status: String(animal.status ?? 'sold').toUpperCase(),
    })),
  }),
  ...broken('get-pet/same-as-listed', {
    'lists an animal with another name than its own': changeFirst(set({ name: 'Rex' })),
    'lists an animal with another category than its own': changeFirst(set({ categoryId: 0n })),
  }),
  ...broken(['list-pets/pets', 'create-pet/stored'], {
    'lists ids alone': changeListed(({ id = null }) => id),
  }),
  ...broken(['list-pets/status-filters', 'get-pet/same-as-listed', 'create-pet/stored'], {
    'lists animals without their status': changeListed(drop('status')),
  }),
  ...broken(['list-pets/pets', 'get-pet/success', 'create-pet/pet'], {
    'has null for the status of animals that have none': changeJson(
      () => true,
      (value) => {
        const change = (animal: JsonObject) => ({ ...animal, status: animal.status ?? null });
        return isJsonObject(value) ? change(value) : (value as readonly JsonObject[]).map(change);
      },
    ),
  }),
  ...broken('list-pets/unique-ids', {
    'lists an animal twice': changeList((list, { query }) =>
      list.length > 1 && list.length < Number(query.get('limit') ?? 20)
        ? [...list, ...list.slice(0, 1)]
        : list,
    ),
    'lists two animals with one id': changeList((list) =>
      list.map((animal, index) => (index === 99 ? { ...animal, id: 1n } : animal)),
    ),
  }),
  ...broken(
    'list-pets/success',
    { 'answers null where no animal has the status': answerNull() },
    { animals: 30 },
  ),
  ...broken('list-pets/success', {
    'answers 404 to a status that comes before a limit': answerWith(
      (request) => isList(request) && [...request.query.keys()].join() === 'status,limit',
      createError(404),
    ),
    'puts a list into an envelope': changeList((list) => ({ data: list })),
    'lists animals by their ids': changeList((list) =>
      Object.fromEntries(list.map((animal) => [String(animal.id), animal])),
    ),
    'answers a list 206 where it is cut short': changeReply(
      answered(200, isListWith({ limit: '10' })),
      () => ({ status: 206 }),
    ),
    'cuts a list off in the middle': changeLists(({ body }) => ({ body: body.slice(0, -9) })),
  }),
  ...broken(['list-pets/success', 'list-pets/limit-bounds'], {
    'answers a list 201': changeLists(() => ({ status: 201 })),
  }),
  ...broken(
    'list-pets/success',
    forEach([createEmpty(204), createError(404)], (reply) => [
      `answers an empty list ${reply.status}`,
      changeLists(({ body }) => (body === '[]' ? reply : {})),
    ]),
    { profile: 'empty' },
  ),
  ...broken('service/media-type', {
    ...forEach(['text/plain', 'application/vnd.pets+json', 'application/x-ndjson', undefined], (type) => [
      `sends a list ${type === undefined ? 'without a media type' : `as ${type}`}`,
      changeLists(sendAs(type)),
    ]),
    'sends an animal by its id as text/html': changeReply(answered(200, isFetch), sendAs('text/html')),
  }),
];
