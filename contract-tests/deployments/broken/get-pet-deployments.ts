import { answerOtherwise, change, createMeeting, replace } from '../changes.ts';
import type { Behaviour, CreateBehaviour, DeployedReply, Deployment } from '../deployment.ts';
import { alter, asDouble } from '../members.ts';
import { createError, createReply } from '../replies.ts';
import { answered, hasKey, idOf, isFetch } from '../requests.ts';
import { deployments } from '../rows.ts';

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
  ...deployments({ 'mixes up animals that are fetched at once': mixUp }),
  ...deployments(
    {
      'rounds ids that it looks for': change.id(ofInteger((id) => asDouble(id) as bigint)),
    },
    { options: { profile: 'edge-cases' } },
  ),
  ...deployments(
    {
      'rounds the ids that it lists': change.listed(alter('id', asDouble)),
    },
    { options: { profile: 'edge-cases' } },
  ),
  ...deployments({ 'forgets an animal that was fetched by its id': forgetFetched }),

  ...deployments({
    'finds no animal by its id that was added': replace(
      answered(200, (request) => isFetch(request) && Number(idOf(request)) > 120),
      createError(404),
    ),
  }),

  ...deployments({
    'answers one animal of many by its id with another name': change.fetched((animal) =>
      animal.id === 13n ? { ...animal, name: 'Rex' } : animal,
    ),
  }),

  ...deployments({
    'answers the first animal to any id': change.id(() => '1'),
  }),

  ...deployments({
    'answers an animal to the negative of its id': changeMatching(/^-\d{1,6}$/, (id) => id.slice(1)),
    'answers an animal to the lower 32 bits of an id': changeMatching(/^-?\d{1,18}$/, (id) =>
      BigInt.asUintN(32, BigInt(id)),
    ),
  }),
  ...deployments(
    {
      'answers the greatest id to those above it': answerUnknown(
        createReply(200, { id: 60n, name: 'Rex', categoryId: 1n }),
        /^\d{2,3}$/,
      ),
    },
    { options: { animals: 60 } },
  ),
  ...deployments(
    {
      'answers an animal to ids that are the same as a double': answerOtherwise(isFetch, answerNear),
    },
    {
      options: { profile: 'edge-cases' },
    },
  ),
  ...deployments({
    'answers an animal to the lower 64 bits of an id': changeMatching(/^\d{20}$/, (id) =>
      BigInt.asIntN(64, BigInt(id)),
    ),
    'answers an animal to an id with letters behind it': changeMatching(/^\d+[a-z]+$/, (id) =>
      id.replace(/[a-z]+$/, ''),
    ),
  }),
];
