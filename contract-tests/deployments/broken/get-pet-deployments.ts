import { answerOtherwise, change, createMeeting, replace } from '../changes.ts';
import {
  type Behaviour,
  type CreateBehaviour,
  type DeployedReply,
  type Deployment,
  deployments,
} from '../deployment.ts';
import { alter, asDouble } from '../members.ts';
import { createError, createReply } from '../replies.ts';
import { answered, hasKey, idOf, isFetch } from '../requests.ts';

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
];
