import { answerOtherwise, change, replace } from '../changes.ts';
import type { Behaviour, CreateBehaviour, DeployedReply, Deployment } from '../deployment.ts';
import { createEmpty, createError, createReply } from '../replies.ts';
import { idOf, isFetch } from '../requests.ts';
import { broken, brokenWith } from '../rows.ts';

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

/** Deployments that answer an animal, or something else than 404, where there is none. */
export const unknownPetDeployments: readonly Deployment[] = [
  ...broken(['get-pet/right-animal', 'get-pet/unknown-is-404', 'get-pet/non-integer'], {
    'answers the first animal to any id': change.id(() => '1'),
  }),
  ...broken(['get-pet/unknown-is-404', 'get-pet/non-integer'], {
    'answers the first animal to unknown ids': changeMatching(/^(?!\d{1,3}$)/, () => 1),
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
    'answers the first animal to 0': changeMatching(/^0$/, () => 1),
  }),
  ...brokenWith({ animals: 60 }, 'get-pet/unknown-is-404', {
    'answers the greatest id to those above it': answerUnknown(
      createReply(200, { id: 60n, name: 'Rex', categoryId: 1n }),
      /^\d{3}$/,
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
    'rounds an id that is not an integer': changeMatching(/^\d+\.\d+$/, (id) => Math.round(Number(id))),
    'answers an animal to a word': changeMatching(/^[a-z]+$/, () => 1),
  }),
  ...brokenWith({ profile: 'edge-cases' }, 'get-pet/non-integer', {
    'wraps ids beyond int64 around': changeMatching(/^-?\d+$/, (id) => BigInt.asIntN(64, BigInt(id))),
  }),
  ...broken('errors/no-server-fault', {
    'answers 500 to an id that is not UTF-8': replace(
      ({ path }) => path.endsWith('%E0%A4'),
      createError(500),
    ),
  }),
];
