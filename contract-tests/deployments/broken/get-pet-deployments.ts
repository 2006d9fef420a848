import { answerOtherwise, answerWith, change, createMeeting, replace } from '../changes.ts';
import type { Behaviour, CreateBehaviour, DeployedReply, Deployment } from '../deployment.ts';
import { alter, asDouble, drop, set } from '../members.ts';
import { createEmpty, createError, createReply } from '../replies.ts';
import { answered, hasKey, idOf, isFetch } from '../requests.ts';
import { broken, brokenWith } from '../rows.ts';

function ofInteger(change: (id: bigint) => bigint): (id: string) => string {
  return (id) => (/^-?\d{1,18}$/.test(id) ? String(change(BigInt(id))) : id);
}

function mixUp(): Behaviour {
  let last = '';
  const meet = createMeeting();
  return async (request, asMock) => {
    if (!isFetch(request) || !hasKey(request)) return asMock(request);
    last = request.path;
    await meet();
    const own = await asMock(request);
    return own.status === 200 ? asMock({ ...request, path: last }) : own;
  };
}

function forgetFetched(): Behaviour {
  const fetched = new Set<string>();
  return async (request, asMock) => {
    const reply = await asMock(request);
    if (!isFetch(request) || reply.status !== 200) return reply;
    if (fetched.has(request.path)) return createError(404);
    fetched.add(request.path);
    return reply;
  };
}

function changeMatching(pattern: RegExp, toId: (id: string) => unknown): CreateBehaviour {
  return change.id((id) => (pattern.test(id) ? String(toId(id)) : id));
}

function answerUnknown(reply: DeployedReply, pattern = /^/): CreateBehaviour {
  return replace(
    (request, { status }) => isFetch(request) && status === 404 && pattern.test(idOf(request)),
    reply,
  );
}

const answerNear: Behaviour = async (request, asMock) => {
  const reply = await asMock(request);
  if (reply.status !== 404 || !/^-?\d{16,18}$/.test(idOf(request))) return reply;
  const near = [-1n, 1n].map((step) => asMock({ ...request, path: `/pets/${BigInt(idOf(request)) + step}` }));
  return (await Promise.all(near)).find(({ status }) => status === 200) ?? reply;
};

/** Deployments that answer single animals in a wrong way, or something where there is none. */
export const getPetDeployments: readonly Deployment[] = [
  ...broken(['get-pet/right-animal', 'get-pet/finds-added', 'get-pet/unknown-is-404'], {
    'answers the animal after the one that was asked for': change.id(
      ofInteger((id) => (id < 2n ** 62n ? id + 1n : id)),
    ),
  }),
  ...broken('get-pet/right-animal', { 'mixes up animals that are fetched at once': mixUp }),
  ...brokenWith({ profile: 'edge-cases' }, ['get-pet/success', 'get-pet/right-animal'], {
    'rounds ids that it looks for': change.id(ofInteger((id) => asDouble(id) as bigint)),
  }),
  ...brokenWith({ profile: 'edge-cases' }, ['get-pet/success', 'list-pets/unique-ids'], {
    'rounds the ids that it lists': change.listed(alter('id', asDouble)),
  }),
  ...broken('get-pet/success', {
    'forgets an animal that was fetched by its id': forgetFetched,
    'answers an animal by its id in an envelope': change.fetched((animal) => ({ data: animal })),
    'answers an animal by its id with a string for it': change.fetched(alter('id', String)),
  }),
  ...broken(['get-pet/success', 'get-pet/finds-added'], {
    'finds no animal by its id': replace(answered(200, isFetch), createError(404)),
    'answers an animal by its id 203': change.reply(answered(200, isFetch), () => ({ status: 203 })),
  }),
  ...broken(['get-pet/success', 'get-pet/finds-added', 'get-pet/unknown-is-404'], {
    'answers a redirection by id': answerWith(isFetch, createEmpty(301, { location: '/v1/pets' })),
  }),
  ...broken(['get-pet/success', 'get-pet/finds-added', 'get-pet/same-as-listed', 'create-pet/int64-exact'], {
    'answers sold animals by their ids without their category': change.fetched((animal) =>
      animal.status === 'sold' ? drop('categoryId')(animal) : animal,
    ),
  }),
  ...broken('get-pet/finds-added', {
    'finds no animal by its id that was added': replace(
      answered(200, (request) => isFetch(request) && Number(idOf(request)) > 120),
      createError(404),
    ),
  }),
  ...broken(['get-pet/success', 'get-pet/finds-added'], {
    'answers sold animals by their id 410': change.reply(answered(200, isFetch), (reply) =>
      /"sold"/.test(String(reply.body)) ? createError(410) : reply,
    ),
  }),
  ...broken('get-pet/same-as-listed', {
    'answers one animal of many by its id with another name': change.fetched((animal) =>
      animal.id === 13n ? { ...animal, name: 'Rex' } : animal,
    ),
  }),
  ...broken(['get-pet/same-as-listed', 'get-pet/finds-added', 'create-pet/text-exact'], {
    'answers an animal by its id with another name': change.fetched(alter('name', (name) => `${name}!`)),
  }),
  ...broken(['get-pet/same-as-listed', 'get-pet/finds-added', 'create-pet/status-kept'], {
    'answers an animal by its id without its status': change.fetched(drop('status')),
  }),
  ...broken(['get-pet/same-as-listed', 'get-pet/finds-added', 'create-pet/int64-exact'], {
    'answers an animal by its id with another category': change.fetched(set({ categoryId: 0n })),
  }),
  ...broken(['get-pet/success', 'get-pet/same-as-listed', 'get-pet/finds-added', 'create-pet/text-exact'], {
    'answers an animal by its id without its name': change.fetched(drop('name')),
  }),
  ...broken(['get-pet/right-animal', 'get-pet/unknown-is-404', 'get-pet/non-integer'], {
    'answers the first animal to any id': change.id(() => '1'),
  }),
  ...broken(['get-pet/unknown-is-404', 'get-pet/non-integer'], {
    'answers an unknown id 200 and nothing': answerUnknown(createReply(200, {})),
    'answers an unknown id 204': answerUnknown(createEmpty(204)),
  }),
  ...broken('get-pet/unknown-is-404', {
    'answers an unknown id 410': answerUnknown(createError(410)),
    'answers a negative id 400': answerUnknown(createError(400), /^-/),
    'answers an animal to the negative of its id': changeMatching(/^-\d{1,6}$/, (id) => id.slice(1)),
    'answers an animal to the lower 32 bits of an id': changeMatching(/^-?\d{1,18}$/, (id) =>
      BigInt.asUintN(32, BigInt(id)),
    ),
  }),
  ...brokenWith({ animals: 60 }, 'get-pet/unknown-is-404', {
    'answers the greatest id to those above it': answerUnknown(
      createReply(200, { id: 60n, name: 'Rex', categoryId: 1n }),
      /^\d{2,3}$/,
    ),
  }),
  ...brokenWith({ profile: 'edge-cases' }, 'get-pet/unknown-is-404', {
    'answers an animal to ids that are the same as a double': answerOtherwise(isFetch, answerNear),
  }),
  ...broken('get-pet/non-integer', {
    'answers an animal to the lower 64 bits of an id': changeMatching(/^\d{20}$/, (id) =>
      BigInt.asIntN(64, BigInt(id)),
    ),
    'answers an animal to an id with letters behind it': changeMatching(/^\d+[a-z]+$/, (id) =>
      id.replace(/[a-z]+$/, ''),
    ),
    'answers an animal to a word': changeMatching(/^[a-z]+$/, () => 1),
  }),
];
