import { type ExactJson, type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import { change, createMeeting } from '../changes.ts';
import type { Behaviour, DeployedReply, DeployedRequest, Deployment } from '../deployment.ts';
import { alter, isNewPet, readJson, set } from '../members.ts';
import { createError, createReply } from '../replies.ts';
import { hasKey, isCreation, isFetch, sentBy } from '../requests.ts';
import { broken } from '../rows.ts';

function isAddition(request: DeployedRequest): boolean {
  return isCreation(request) && hasKey(request) && isNewPet(sentBy(request));
}

/** Gives an animal the id of another that was added at the same time. */
function shareIds(): Behaviour {
  let first: Promise<DeployedReply> | undefined;
  const meet = createMeeting();
  return async (request, asMock) => {
    if (!isAddition(request)) return asMock(request);
    const [own, other] = [asMock(request), first];
    first = own;
    await meet();
    if (first === own) first = undefined;
    const reply = await own;
    if (other === undefined || reply.status !== 201) return reply;
    const { id = null } = readJson((await other).body) as JsonObject;
    return createReply(201, { ...sentBy(request), id });
  };
}

function shareNames(): Behaviour {
  let last: ExactJson = null;
  const meet = createMeeting();
  return async (request, asMock) => {
    if (!isAddition(request)) return asMock(request);
    last = sentBy(request).name ?? null;
    await meet();
    return asMock({ ...request, body: printExactJson({ ...sentBy(request), name: last }) });
  };
}

function repeatIds(): Behaviour {
  let last: ExactJson | undefined;
  let hasRefused = false;
  return async (request, asMock) => {
    const reply = await asMock(request);
    if (!isCreation(request) || !hasKey(request)) return reply;
    hasRefused ||= reply.status === 400;
    if (reply.status !== 201) return reply;
    const animal = readJson(reply.body) as JsonObject;
    const id = (hasRefused ? last : undefined) ?? animal.id ?? null;
    hasRefused = false;
    last = id;
    return createReply(201, { ...animal, id });
  };
}

function rememberMissing(): Behaviour {
  const missing = new Set<string>();
  return async (request, asMock) => {
    if (isFetch(request) && hasKey(request) && missing.has(request.path)) return createError(404);
    const reply = await asMock(request);
    if (isFetch(request) && reply.status === 404) missing.add(request.path);
    return reply;
  };
}

/** Deployments that give new animals wrong ids, or mix them up. */
export const addedPetDeployments: readonly Deployment[] = [
  ...broken(['create-pet/unique-id', 'create-pet/stored', 'get-pet/finds-added'], {
    'gives every new animal one id': change.created(set({ id: 121n })),
    'gives a new animal the id of one that it lists': change.created(
      alter('id', (id) => (id as bigint) - 120n),
    ),
  }),
  ...broken('create-pet/unique-id', {
    'gives animals that are added at once one id': shareIds,
    'mixes up the names of animals that are added at once': shareNames,
    'gives the id of the last animal again once it has refused one': repeatIds,
  }),
  ...broken('create-pet/id-assigned', {
    'takes an id that a client sends and that is free': change.created((animal, request) => {
      const { id } = sentBy(request);
      return typeof id === 'bigint' && id > 1_000_000n ? { ...animal, id } : animal;
    }),
  }),
  ...broken('get-pet/finds-added', { 'remembers that an id was not there': rememberMissing }),
];
