import { type ExactJson, type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import {
  changeCreated,
  createError,
  createReply,
  hasKey,
  isCreation,
  isFetch,
  readJson,
  sentBy,
} from '../changes.ts';
import type { DeployedReply, Deployment } from '../deployment.ts';

function isAnimal({ name, categoryId }: JsonObject): boolean {
  return typeof name === 'string' && typeof categoryId === 'bigint';
}

/** Deployments that give new animals wrong ids, or mix them up. */
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
    name: 'remembers that an id was not there',
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
];
