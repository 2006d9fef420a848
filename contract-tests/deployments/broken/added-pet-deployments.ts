import { type ExactJson, isJsonObject, type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import {
  answerOtherwise,
  asDouble,
  changeCreated,
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
  readJson,
  sentBy,
} from '../changes.ts';
import type { DeployedReply, Deployment } from '../deployment.ts';

function isAnimal({ name, categoryId }: JsonObject): boolean {
  return typeof name === 'string' && typeof categoryId === 'bigint';
}

/** Deployments that give new animals wrong ids, or lose them. */
export const addedPetDeployments: readonly Deployment[] = [
  {
    name: 'gives every new animal one id',
    breaks: ['create-pet/unique-id', 'create-pet/stored', 'get-pet/finds-added'],
    createBehaviour: changeCreated((animal) => ({ ...animal, id: 121n })),
  },
  {
    name: 'gives animals that are added at once one id',
    breaks: ['create-pet/unique-id'],
    createBehaviour: () => {
      let pending: Promise<DeployedReply> | undefined;
      return async (request, asMock) => {
        if (!isCreation(request) || !isAnimal(sentBy(request)) || !hasKey(request)) return asMock(request);
        if (pending !== undefined) {
          const { id = null } = readJson((await pending).body) as JsonObject;
          const own = await asMock(request);
          return own.status === 201 ? createReply(201, { ...sentBy(request), id }) : own;
        }
        pending = asMock(request);
        const reply = await pending;
        // Those that came meanwhile have come by now.
        await new Promise((done) => setTimeout(done, 20));
        pending = undefined;
        return reply;
      };
    },
  },
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
    name: 'gives a new animal the id of one that it lists',
    breaks: ['create-pet/unique-id', 'create-pet/stored', 'get-pet/finds-added'],
    createBehaviour: changeCreated((animal) => ({ ...animal, id: BigInt(Number(animal.id)) - 120n })),
  },
  {
    name: 'takes the id that a client sends',
    breaks: ['create-pet/id-assigned'],
    createBehaviour: changeCreated((animal, request) => ({
      ...animal,
      id: sentBy(request).id ?? animal.id ?? null,
    })),
  },
  {
    name: 'takes an id that a client sends and that is free',
    breaks: ['create-pet/id-assigned'],
    createBehaviour: changeCreated((animal, request) => {
      const { id } = sentBy(request);
      return { ...animal, id: typeof id === 'bigint' && id > 1_000_000n ? id : (animal.id ?? null) };
    }),
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
    name: 'mixes up the names of animals that are added at once',
    breaks: ['create-pet/unique-id'],
    createBehaviour: () => {
      let last: ExactJson = null;
      return async (request, asMock) => {
        if (!isCreation(request) || !hasKey(request) || !isAnimal(sentBy(request))) return asMock(request);
        last = sentBy(request).name ?? null;
        await new Promise((done) => setTimeout(done, 20));
        const body = printExactJson({ ...sentBy(request), name: last });
        const headers = { ...request.headers, 'content-length': 'as it is' };
        return asMock({ ...request, body, headers });
      };
    },
  },
  {
    name: 'gives the id of the last animal again once it has refused one',
    breaks: ['create-pet/unique-id'],
    createBehaviour: () => {
      let [last, hasRefused]: [ExactJson, boolean] = [null, false];
      return async (request, asMock) => {
        const reply = await asMock(request);
        if (!isCreation(request) || !hasKey(request)) return reply;
        if (reply.status === 400) hasRefused = true;
        if (reply.status !== 201) return reply;
        const animal = readJson(reply.body) as JsonObject;
        const isAgain = hasRefused && last !== null;
        hasRefused = false;
        const id = isAgain ? last : (animal.id ?? null);
        last = id;
        return createReply(201, { ...animal, id });
      };
    },
  },
  {
    name: 'forgets no more that an id was not there',
    breaks: ['get-pet/finds-added'],
    createBehaviour: () => {
      const missing = new Set<string>();
      return async (request, asMock) => {
        if (isFetch(request) && hasKey(request) && missing.has(request.path)) return createError(404);
        const reply = await asMock(request);
        if (isFetch(request) && reply.status === 404) missing.add(request.path);
        return reply;
      };
    },
  },
  {
    name: 'overwrites an animal in the middle when another is added',
    breaks: ['store/kept'],
    createBehaviour: () => {
      let hasAdded = false;
      const overwrite = (value: ExactJson) =>
        isJsonObject(value) && value.id === 50n ? { ...value, categoryId: 4_711n } : value;
      const overwriteAll = changeJson(
        (request) => hasAdded && request.method === 'GET',
        (value) => (Array.isArray(value) ? value.map(overwrite) : overwrite(value)),
      )();
      return (request, asMock) => {
        hasAdded ||= isCreation(request) && hasKey(request) && request.body.includes('sequence');
        return overwriteAll(request, asMock);
      };
    },
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
    name: 'renames the first animal when another is added',
    breaks: ['store/kept'],
    createBehaviour: () => {
      let hasAdded = false;
      const rename = (value: ExactJson) =>
        isJsonObject(value) && value.id === 1n ? { ...value, name: 'Rex the first' } : value;
      const renameAll = changeJson(
        (request) => hasAdded && request.method === 'GET',
        (value) => (Array.isArray(value) ? value.map(rename) : rename(value)),
      )();
      return (request, asMock) => {
        hasAdded ||= isCreation(request) && hasKey(request) && request.body.includes('contract-test');
        return renameAll(request, asMock);
      };
    },
  },
  {
    name: 'adds a new animal twice',
    breaks: ['create-pet/stored'],
    createBehaviour: answerOtherwise(isCreation, async (request, asMock) => {
      if ((await asMock(request)).status !== 201) return asMock(request);
      return asMock(request);
    }),
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
