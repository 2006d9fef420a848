import { type ExactJson, type JsonObject, printExactJson } from '../../../common/json/exact-json.ts';
import { type ChangeReply, change, createMeeting, refuse } from '../changes.ts';
import type { Behaviour, CreateBehaviour, DeployedReply, Deployment } from '../deployment.ts';
import { alter, drop, isNewPet, readJson, set } from '../members.ts';
import { createEmpty, createError, createReply, sendAs } from '../replies.ts';
import { answered, hasHeader, hasKey, type IsMeant, isCreation, isFetch, sentBy } from '../requests.ts';
import { broken } from '../rows.ts';

const exact = ['create-pet/text-exact', 'create-pet/int64-exact', 'create-pet/status-kept'];

function changeAdded(toReply: ChangeReply): CreateBehaviour {
  return change.reply(answered(201, isCreation), toReply);
}

const isAddition: IsMeant = (request) => isCreation(request) && hasKey(request) && isNewPet(sentBy(request));

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

/** Answers an equal body with what was answered before, as to a request that is sent again. */
function replayEqual(): Behaviour {
  const answered = new Map<string, Promise<DeployedReply>>();
  return (request, asMock) => {
    if (!isAddition(request)) return asMock(request);
    const reply = answered.get(request.body) ?? asMock(request);
    answered.set(request.body, reply);
    return reply;
  };
}

function refuseEach(each: number, name = /^/): CreateBehaviour {
  return () => {
    let count = 0;
    return async (request, asMock) => {
      const isMeant = isAddition(request) && name.test(String(sentBy(request).name));
      if (isMeant) count += 1;
      return isMeant && count % each === each - 1 ? createError(400) : asMock(request);
    };
  };
}

function upsertByName(): Behaviour {
  const ids = new Map<ExactJson, ExactJson>();
  return async (request, asMock) => {
    const reply = await asMock(request);
    if (!isAddition(request) || reply.status !== 201) return reply;
    const animal = readJson(reply.body) as JsonObject;
    const { name = null, id = null } = animal;
    if (!ids.has(name)) ids.set(name, id);
    return createReply(201, { ...animal, id: ids.get(name) ?? null });
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

/** Deployments that answer a creation in a wrong way, give wrong ids, or mix up new animals. */
export const addedPetDeployments: readonly Deployment[] = [
  ...broken('create-pet/success', {
    'answers a creation 200': changeAdded(() => ({ status: 200 })),
    'refuses an animal as JSON with a charset': refuse(hasHeader('content-type', /charset/)),
    'refuses every third animal that is added at once': refuseEach(3, /at once/),
    'wants the name of an animal before its category': refuse(
      (request) => isCreation(request) && /"categoryId".*"(?:n|\\u006e)ame"/s.test(request.body),
    ),
    'wants a status of every new animal': refuse(
      (request) => isCreation(request) && sentBy(request).status === undefined,
    ),
  }),
  ...broken(['create-pet/success', 'advised/media-type-case'], {
    'refuses every seventh animal': refuseEach(7),
  }),
  ...broken('advised/media-type-case', {
    'refuses an animal as Application/JSON': refuse(hasHeader('content-type', /^Application/), 415),
  }),
  ...broken('create-pet/pet', {
    'answers a creation with no body': changeAdded(({ headers }) => createEmpty(201, headers)),
    'answers a creation without an id': change.created(drop('id')),
    'answers a creation with a long name without an id': change.created((animal) =>
      String(animal.name).length > 1000 ? drop('id')(animal) : animal,
    ),
    'answers a creation with a string for the id': change.created(alter('id', String)),
  }),
  ...broken(['create-pet/pet', 'create-pet/stored', 'get-pet/finds-added'], {
    'answers a creation with an id beyond int64': change.created(
      alter('id', (id) => 2n ** 63n + (id as bigint)),
    ),
  }),
  ...broken([...exact, 'create-pet/pet', 'create-pet/echoes', 'get-pet/finds-added'], {
    'answers a creation with its id alone': change.created(({ id = null }) => ({ id })),
  }),
  ...broken(['create-pet/echoes', 'create-pet/text-exact', 'create-pet/stored', 'get-pet/finds-added'], {
    'answers a creation with the name in upper case': change.created(
      alter('name', (name) => String(name).toUpperCase()),
    ),
  }),
  ...broken(['create-pet/echoes', 'create-pet/int64-exact', 'create-pet/stored', 'get-pet/finds-added'], {
    'answers a creation with another category': change.created(set({ categoryId: 0n })),
  }),
  ...broken(['create-pet/echoes', 'create-pet/status-kept'], {
    'answers a creation without the status': change.created(drop('status')),
  }),
  ...broken('service/media-type', { 'answers a creation as plain text': changeAdded(sendAs('text/plain')) }),
  ...broken(['create-pet/unique-id', 'create-pet/stored', 'get-pet/finds-added'], {
    'gives every new animal one id': change.created(set({ id: 121n })),
    'gives a new animal the id of one that it lists': change.created(
      alter('id', (id) => (id as bigint) - 120n),
    ),
  }),
  ...broken('create-pet/unique-id', {
    'gives animals that are added at once one id': shareIds,
    'mixes up the names of animals that are added at once': shareNames,
    'answers an equal body with the animal of before': replayEqual,
    'has one animal for each name': upsertByName,
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
