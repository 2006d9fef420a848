import { type ExactJson, isJsonObject, type JsonObject } from '../../../common/exact-json.ts';
import { answerOtherwise, change } from '../changes.ts';
import type { Behaviour, CreateBehaviour, Deployment } from '../deployment.ts';
import { alter, asDouble, readJson } from '../members.ts';
import { createReply } from '../replies.ts';
import { hasKey, isCreation } from '../requests.ts';
import { broken, brokenWith } from '../rows.ts';

function listOnly(isListed: (animal: JsonObject, query: URLSearchParams) => boolean): CreateBehaviour {
  return change.list((list, { query }) => list.filter((animal) => isListed(animal, query)));
}

function addNothing(): Behaviour {
  let id = 5000n;
  return async (request, asMock) => {
    if (!isCreation(request) || !hasKey(request)) return asMock(request);
    const probe = await asMock(request);
    if (probe.status !== 201) return probe;
    id += 1n;
    return createReply(201, { ...(readJson(probe.body) as JsonObject), id });
  };
}

function forgetFirst(): Behaviour {
  let first: string | undefined;
  let isForgotten = false;
  return async (request, asMock) => {
    if (isForgotten && request.path === `/pets/${first}`) return asMock({ ...request, path: '/pets/999999' });
    const reply = await asMock(request);
    if (reply.status === 201) first ??= String((readJson(reply.body) as JsonObject).id);
    isForgotten ||= first !== undefined && request.method === 'POST' && reply.status === 400;
    return reply;
  };
}

function renameFetched(): Behaviour {
  const fetched = new Set<string>();
  const rename = change.listed((animal) =>
    fetched.has(String(animal.id)) ? { ...animal, name: 'x' } : animal,
  )();
  return (request, asMock) => {
    if (request.method === 'GET') fetched.add(request.path.slice('/pets/'.length));
    return request.query.has('status') ? rename(request, asMock) : asMock(request);
  };
}

/** Changes an animal that was there before, once one was added for a purpose. */
function changeOnceAdded(id: bigint, purpose: string, changed: JsonObject): CreateBehaviour {
  return () => {
    let hasAdded = false;
    const toChanged = (value: ExactJson) =>
      isJsonObject(value) && value.id === id ? { ...value, ...changed } : value;
    const changeAll = change.json(
      (request) => hasAdded && request.method === 'GET',
      (value) => (Array.isArray(value) ? value.map(toChanged) : toChanged(value)),
    )();
    return (request, asMock) => {
      hasAdded ||= isCreation(request) && hasKey(request) && request.body.includes(purpose);
      return changeAll(request, asMock);
    };
  };
}

/** Deployments that lose new animals, list them otherwise than they are, or harm others for them. */
export const storedPetDeployments: readonly Deployment[] = [
  ...broken('store/kept', {
    'forgets the first animal that was added when it refuses a body': forgetFirst,
    'renames the first animal when another is added': changeOnceAdded(1n, 'contract-test', {
      name: 'Rex the first',
    }),
    'overwrites an animal in the middle when another is added': changeOnceAdded(50n, 'sequence', {
      categoryId: 4_711n,
    }),
  }),
  ...broken(['create-pet/stored', 'store/sequences'], {
    'lists an animal by its status under another name once it has been fetched': renameFetched,
  }),
  ...broken(['create-pet/stored', 'get-pet/finds-added'], {
    'does not add what it says it adds': addNothing,
  }),
  ...broken('create-pet/stored', {
    'lists what there was at the start': listOnly(({ id }) => Number(id) <= 120),
    'adds a new animal twice': answerOtherwise(isCreation, async (request, asMock) => {
      await asMock(request);
      return asMock(request);
    }),
    'rounds categoryIds in lists by status': change.listed((animal, { query }) =>
      query.has('status') ? alter('categoryId', asDouble)(animal) : animal,
    ),
  }),
  ...brokenWith({ animals: 30 }, 'create-pet/stored', {
    'lists no new animal that has no status': listOnly(
      ({ id, status }) => Number(id) <= 30 || status !== undefined,
    ),
    'lists sold animals only by their status': listOnly(
      ({ status }, query) => status !== 'sold' || query.has('status'),
    ),
    'lists no animals of categories that it did not have before': listOnly(
      ({ categoryId }) => Number(categoryId) > 0 && Number(categoryId) < 1000,
    ),
    'cuts names in lists': change.listed((animal) => ({
      ...animal,
      name: String(animal.name).slice(0, 255),
    })),
  }),
];
