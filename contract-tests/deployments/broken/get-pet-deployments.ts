import { unescape as decode } from 'node:querystring';
import type { JsonObject } from '../../../common/exact-json.ts';
import {
  asDouble,
  changeFetched,
  changeJson,
  changeReply,
  changeRequest,
  createError,
  hasKey,
  isFetch,
  isList,
  without,
} from '../changes.ts';
import type { DeployedRequest, Deployment } from '../deployment.ts';

function idOf({ path }: DeployedRequest): string {
  return decode(path.slice('/pets/'.length));
}

/** Looks for an animal by another id than the one that was asked for. */
function changeId(change: (id: string) => string) {
  return changeRequest(isFetch, (request) => ({
    path: `/pets/${encodeURIComponent(change(idOf(request)))}`,
  }));
}

function ofInteger(change: (id: bigint) => bigint): (id: string) => string {
  return (id) => (/^-?\d{1,18}$/.test(id) ? String(change(BigInt(id))) : id);
}

/** Deployments that answer single animals in a wrong way. */
export const getPetDeployments: readonly Deployment[] = [
  {
    name: 'answers the animal after the one that was asked for',
    breaks: ['get-pet/right-animal', 'get-pet/finds-added', 'get-pet/unknown-is-404'],
    createBehaviour: changeId(ofInteger((id) => (id < 2n ** 62n ? id + 1n : id))),
  },
  {
    name: 'rounds ids that it looks for',
    breaks: ['get-pet/right-animal'],
    options: { profile: 'edge-cases' },
    createBehaviour: changeId(ofInteger((id) => asDouble(id) as bigint)),
  },
  {
    name: 'answers sold animals by their ids without their category',
    breaks: ['get-pet/success', 'get-pet/finds-added', 'create-pet/int64-exact'],
    createBehaviour: changeFetched((animal) =>
      animal.status === 'sold' ? without(animal, 'categoryId') : animal,
    ),
  },
  {
    name: 'mixes up animals that are fetched at once',
    breaks: ['get-pet/right-animal'],
    createBehaviour: () => {
      let last = '';
      return async (request, asMock) => {
        if (!isFetch(request) || !hasKey(request)) return asMock(request);
        last = request.path;
        await new Promise((done) => setTimeout(done, 20));
        const own = await asMock(request);
        return own.status === 200 ? asMock({ ...request, path: last }) : own;
      };
    },
  },
  {
    name: 'forgets an animal that was fetched by its id',
    breaks: ['get-pet/success'],
    createBehaviour: () => {
      const fetched = new Set<string>();
      return async (request, asMock) => {
        const reply = await asMock(request);
        if (!isFetch(request) || reply.status !== 200) return reply;
        if (fetched.has(request.path)) return createError(404);
        fetched.add(request.path);
        return reply;
      };
    },
  },
  {
    name: 'finds no animal by its id',
    breaks: ['get-pet/success', 'get-pet/finds-added'],
    createBehaviour: changeReply(isFetch, (reply) => (reply.status === 200 ? createError(404) : {})),
  },
  {
    name: 'finds no animal by its id that was added',
    breaks: ['get-pet/finds-added'],
    createBehaviour: changeReply(
      (request, { status }) => isFetch(request) && status === 200 && Number(idOf(request)) > 120,
      () => createError(404),
    ),
  },
  {
    name: 'answers sold animals by their id 410',
    breaks: ['get-pet/finds-added'],
    createBehaviour: changeReply(
      (request, { status, body }) => isFetch(request) && status === 200 && /"sold"/.test(String(body)),
      () => createError(410),
    ),
  },
  {
    name: 'answers an animal by its id with another name',
    breaks: ['get-pet/same-as-listed', 'get-pet/finds-added', 'create-pet/text-exact'],
    createBehaviour: changeFetched((animal) => ({ ...animal, name: `${animal.name}!` })),
  },
  {
    name: 'answers an animal by its id without its status',
    breaks: ['get-pet/same-as-listed', 'get-pet/finds-added', 'create-pet/status-kept'],
    createBehaviour: changeFetched((animal) => without(animal, 'status')),
  },
  {
    name: 'answers an animal by its id with another category',
    breaks: ['get-pet/same-as-listed', 'get-pet/finds-added', 'create-pet/int64-exact'],
    createBehaviour: changeFetched((animal) => ({ ...animal, categoryId: 0n })),
  },
  {
    name: 'answers an animal by its id in an array',
    breaks: ['get-pet/success'],
    createBehaviour: changeFetched((animal) => [animal]),
  },
  {
    name: 'answers an animal by its id in an envelope',
    breaks: ['get-pet/success'],
    createBehaviour: changeFetched((animal) => ({ data: animal })),
  },
  {
    name: 'answers an animal by its id with a string for it',
    breaks: ['get-pet/success'],
    createBehaviour: changeFetched((animal) => ({ ...animal, id: String(animal.id) })),
  },
  ...['id', 'name', 'categoryId'].map((name) => ({
    name: `answers an animal by its id without its ${name}`,
    breaks: [
      'get-pet/success',
      ...(name === 'id' ? [] : ['get-pet/same-as-listed', 'get-pet/finds-added']),
      ...(name === 'name' ? ['create-pet/text-exact'] : []),
      ...(name === 'categoryId' ? ['create-pet/int64-exact'] : []),
    ],
    createBehaviour: changeFetched((animal) => without(animal, name)),
  })),
  {
    name: 'answers an animal by its id 203',
    breaks: ['get-pet/success', 'get-pet/finds-added'],
    createBehaviour: changeReply(
      (request, { status }) => isFetch(request) && status === 200,
      () => ({ status: 203 }),
    ),
  },
  {
    name: 'rounds the ids that it lists',
    breaks: ['get-pet/success', 'list-pets/unique-ids'],
    options: { profile: 'edge-cases' },
    createBehaviour: changeJson(isList, (list) =>
      (list as readonly JsonObject[]).map((animal) => ({ ...animal, id: asDouble(animal.id) })),
    ),
  },
];
