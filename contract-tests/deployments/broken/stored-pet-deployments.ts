import { type ExactJson, isJsonObject, type JsonObject } from '../../../common/exact-json.ts';
import {
  answerOtherwise,
  asDouble,
  type CreateBehaviour,
  changeJson,
  changeList,
  changeListed,
  changeReply,
  createReply,
  hasKey,
  isCreation,
  isList,
  readJson,
  sentBy,
} from '../changes.ts';
import type { Deployment } from '../deployment.ts';

/** Deployments that lose new animals, list them otherwise than they are, or harm others for them. */
export const storedPetDeployments: readonly Deployment[] = [
  {
    name: 'forgets the first animal that was added when it refuses a body',
    breaks: ['store/kept'],
    createBehaviour: () => {
      let first: string | undefined;
      let isForgotten = false;
      return async (request, asMock) => {
        if (isForgotten && request.path === `/pets/${first}`)
          return asMock({ ...request, path: '/pets/999999' });
        const reply = await asMock(request);
        if (reply.status === 201) first ??= String((readJson(reply.body) as JsonObject).id);
        isForgotten ||= first !== undefined && request.method === 'POST' && reply.status === 400;
        return reply;
      };
    },
  },
  {
    name: 'lists an animal by its status under another name once it has been fetched',
    breaks: ['create-pet/stored', 'store/sequences'],
    createBehaviour: () => {
      const fetched = new Set<string>();
      const rename = changeListed((animal) =>
        fetched.has(String(animal.id)) ? { ...animal, name: 'x' } : animal,
      )();
      return (request, asMock) => {
        if (request.method === 'GET') fetched.add(request.path.slice('/pets/'.length));
        return request.query.has('status') ? rename(request, asMock) : asMock(request);
      };
    },
  },
  {
    name: 'does not add what it says it adds',
    breaks: ['create-pet/stored', 'get-pet/finds-added'],
    createBehaviour: () => {
      let id = 5000n;
      return async (request, asMock) => {
        if (!isCreation(request) || !hasKey(request)) return asMock(request);
        const probe = await asMock(request);
        if (probe.status !== 201) return probe;
        id += 1n;
        const { name = '', categoryId = 1n, status } = sentBy(request);
        return createReply(201, { id, name, categoryId, ...(status === undefined ? {} : { status }) });
      };
    },
  },
  {
    name: 'lists what there was at the start',
    breaks: ['create-pet/stored'],
    createBehaviour: changeListOf((id) => id <= 120n),
  },
  {
    name: 'lists no new animal that has no status',
    breaks: ['create-pet/stored'],
    options: { animals: 30 },
    createBehaviour: changeListOf((id, { status }) => id <= 30n || status !== undefined),
  },
  {
    name: 'lists sold animals only by their status',
    breaks: ['create-pet/stored'],
    options: { animals: 30 },
    createBehaviour: changeListOf((_, { status }, query) => status !== 'sold' || query.has('status')),
  },
  {
    name: 'lists no animals of categories that it did not have before',
    breaks: ['create-pet/stored'],
    options: { animals: 30 },
    createBehaviour: changeList((list) =>
      list.filter(({ categoryId }) => Number(categoryId) > 0 && Number(categoryId) < 1000),
    ),
  },
  {
    name: 'cuts names in lists',
    breaks: ['create-pet/stored'],
    options: { animals: 30 },
    createBehaviour: changeListed((animal) => ({ ...animal, name: String(animal.name).slice(0, 255) })),
  },
  {
    name: 'rounds categoryIds in lists',
    breaks: ['create-pet/stored'],
    options: { animals: 30 },
    createBehaviour: changeListed((animal) => ({ ...animal, categoryId: asDouble(animal.categoryId) })),
  },
  {
    name: 'rounds categoryIds in lists by status',
    breaks: ['create-pet/stored'],
    createBehaviour: changeList((list, { query }) =>
      list.map((animal) =>
        query.has('status') ? { ...animal, categoryId: asDouble(animal.categoryId) } : animal,
      ),
    ),
  },
  {
    name: 'adds a new animal twice',
    breaks: ['create-pet/stored'],
    createBehaviour: answerOtherwise(isCreation, async (request, asMock) => {
      if ((await asMock(request)).status !== 201) return asMock(request);
      return asMock(request);
    }),
  },
  {
    name: 'renames the first animal when another is added',
    breaks: ['store/kept'],
    createBehaviour: changeOnceAdded(1n, 'contract-test', { name: 'Rex the first' }),
  },
  {
    name: 'overwrites an animal in the middle when another is added',
    breaks: ['store/kept'],
    createBehaviour: changeOnceAdded(50n, 'sequence', { categoryId: 4_711n }),
  },
];

/** Leaves animals out of lists. */
function changeListOf(isListed: (id: bigint, animal: JsonObject, query: URLSearchParams) => boolean) {
  return changeReply(
    (request, { status }) => isList(request) && status === 200,
    ({ body }, { query }) => {
      const list = readJson(body) as readonly JsonObject[];
      return createReply(
        200,
        list.filter((animal) => isListed(animal.id as bigint, animal, query)),
      );
    },
  );
}

/** Changes an animal that was there before, once one was added for a purpose. */
function changeOnceAdded(id: bigint, purpose: string, changed: JsonObject): CreateBehaviour {
  return () => {
    let hasAdded = false;
    const change = (value: ExactJson) =>
      isJsonObject(value) && value.id === id ? { ...value, ...changed } : value;
    const changeAll = changeJson(
      (request) => hasAdded && request.method === 'GET',
      (value) => (Array.isArray(value) ? value.map(change) : change(value)),
    )();
    return (request, asMock) => {
      hasAdded ||= isCreation(request) && hasKey(request) && request.body.includes(purpose);
      return changeAll(request, asMock);
    };
  };
}
