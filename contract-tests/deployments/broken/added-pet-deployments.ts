import { type ExactJson, type JsonObject, printExactJson } from '../../../common/json/exact-json.ts';
import { change, createMeeting, refuse } from '../changes.ts';
import {
  type Behaviour,
  type CreateBehaviour,
  type DeployedReply,
  type Deployment,
  deployments,
} from '../deployment.ts';
import { alter, isNewPet, readJson, set } from '../members.ts';
import { createError, createReply } from '../replies.ts';
import { hasHeader, hasKey, type IsMeant, isCreation, isFetch, sentBy } from '../requests.ts';

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
  ...deployments({
    'refuses an animal as JSON with a charset': refuse(hasHeader('content-type', /charset/)),
    'refuses every third animal that is added at once': refuseEach(3, /at once/),
    'wants the name of an animal before its category': refuse(
      (request) => isCreation(request) && /"categoryId".*"(?:n|\\u006e)ame"/s.test(request.body),
    ),

    'refuses every seventh animal': refuseEach(7),
    'refuses an animal as Application/JSON': refuse(hasHeader('content-type', /^Application/), 415),
  }),

  ...deployments({
    'gives every new animal one id': change.created(set({ id: 121n })),
    'gives a new animal the id of one that it lists': change.created(
      alter('id', (id) => (id as bigint) - 120n),
    ),
    'gives animals that are added at once one id': shareIds,
    'mixes up the names of animals that are added at once': shareNames,
    'answers an equal body with the animal of before': replayEqual,
    'has one animal for each name': upsertByName,
    'gives the id of the last animal again once it has refused one': repeatIds,
    'takes an id that a client sends and that is free': change.created((animal, request) => {
      const { id } = sentBy(request);
      return typeof id === 'bigint' && id > 1_000_000n ? { ...animal, id } : animal;
    }),
  }),
  ...deployments({ 'remembers that an id was not there': rememberMissing }),
];
