import { type ExactJson, isJsonObject, type JsonObject } from '../../../common/json/exact-json.ts';
import { type ChangeReply, change, refuse } from '../changes.ts';
import type { Behaviour, CreateBehaviour, Deployment } from '../deployment.ts';
import { alter, drop, set } from '../members.ts';
import { createEmpty, createError, createReply, sendAs } from '../replies.ts';
import { always, answered, hasKey, isFetch, isList, isListWith } from '../requests.ts';
import { broken, brokenWith } from '../rows.ts';

const differs = ['list-pets/pets', 'get-pet/same-as-listed'];

function changeFirst(toAnimal: (animal: JsonObject) => ExactJson): CreateBehaviour {
  return change.listed((animal) => (animal.id === 1n ? toAnimal(animal) : animal));
}

function changeLists(toReply: ChangeReply): CreateBehaviour {
  return change.reply(answered(200, isList), toReply);
}

function answerNull(): Behaviour {
  let hasAdded = false;
  return async (request, asMock) => {
    const reply = await asMock(request);
    hasAdded ||= reply.status === 201;
    const isEmpty = isListWith({ status: 'sold' })(request) && hasKey(request);
    return isEmpty && !hasAdded ? createReply(200, null) : reply;
  };
}

const nullStatus = (animal: JsonObject) => ({ status: null, ...animal });

/** Deployments whose lists hold what is wrong. */
export const listedPetDeployments: readonly Deployment[] = [
  ...broken('list-pets/pets', {
    'lists an animal with an id of 1.5': changeFirst(set({ id: 1.5 })),
    'lists an animal with an id beyond int64': changeFirst(set({ id: 2n ** 63n })),
    'shows no status in lists without limit': change.listed((animal, { query }) =>
      query.has('limit') ? animal : drop('status')(animal),
    ),
    'lists null among animals': change.listed((animal, { query }) =>
      animal.id === 8n && query.get('limit') === '10' ? null : animal,
    ),
  }),
  ...broken(differs, {
    'lists an animal without a name': changeFirst(drop('name')),
    'lists an animal with a string for a categoryId': changeFirst(alter('categoryId', String)),
  }),
  ...broken([...differs, 'list-pets/status-filters'], {
    'lists an animal with a status in upper case': changeFirst(
      alter('status', (status) => String(status).toUpperCase()),
    ),
  }),
  ...broken('get-pet/same-as-listed', {
    'lists an animal with another name than its own': changeFirst(set({ name: 'Rex' })),
    'lists an animal with another category than its own': changeFirst(set({ categoryId: 0n })),
  }),
  ...broken(['list-pets/pets', 'create-pet/stored'], {
    'lists ids alone': change.listed(({ id = null }) => id),
  }),
  ...broken([...differs, 'create-pet/stored'], {
    'lists animals without their status': change.listed(drop('status')),
  }),
  ...broken(['list-pets/pets', 'get-pet/success', 'create-pet/pet'], {
    'has null for the status of animals that have none': change.json(always, (value) =>
      isJsonObject(value) ? nullStatus(value) : (value as readonly JsonObject[]).map(nullStatus),
    ),
  }),
  ...broken('list-pets/unique-ids', {
    'lists two animals with one id': change.list((list) =>
      list.map((animal, index) => (index === 99 ? { ...animal, id: 1n } : animal)),
    ),
  }),
  ...brokenWith({ animals: 30 }, 'list-pets/success', {
    'answers null where no animal has the status': answerNull,
  }),
  ...broken(['list-pets/success', 'create-pet/stored'], {
    'lists nothing without a status': change.list((list, { query }) => (query.has('status') ? list : [])),
  }),
  ...broken('list-pets/success', {
    'answers 404 to a status that comes before a limit': refuse(
      (request) => isList(request) && [...request.query.keys()].join() === 'status,limit',
      404,
    ),
    'puts a list into an envelope': change.list((list) => ({ data: list })),
    'answers a list 206 where it is cut short': change.reply(
      answered(200, isListWith({ limit: '10' })),
      () => ({ status: 206 }),
    ),
    'cuts a list off in the middle': changeLists(({ body }) => ({ body: body.slice(0, -9) })),
  }),
  ...broken(['list-pets/success', 'list-pets/limit-bounds'], {
    'answers a list 201': changeLists(() => ({ status: 201 })),
  }),
  ...brokenWith({ profile: 'empty' }, 'list-pets/success', {
    'answers an empty list 204': changeLists(({ body }) => (body === '[]' ? createEmpty(204) : {})),
    'answers an empty list 404': changeLists(({ body }) => (body === '[]' ? createError(404) : {})),
  }),
  ...broken('service/media-type', {
    'sends a list as application/vnd.pets+json': changeLists(sendAs('application/vnd.pets+json')),
    'sends a list without a media type': changeLists(sendAs(undefined)),
    'sends an animal by its id as text/html': change.reply(answered(200, isFetch), sendAs('text/html')),
  }),
];
