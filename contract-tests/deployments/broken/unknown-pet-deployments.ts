import { unescape as decode } from 'node:querystring';
import { answerWith, changeReply, changeRequest, createError, createReply, isFetch } from '../changes.ts';
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

const answerOfUnknown: Readonly<Record<string, ReturnType<typeof createReply>>> = {
  '200 and null': createReply(200, null),
  '200 and nothing': createReply(200, {}),
  '200 and an empty array': createReply(200, []),
  '204': { status: 204, headers: {}, body: '' },
  '400': createError(400),
  '410': createError(410),
  '403': createError(403),
};

/** Deployments that answer an animal, or something else than 404, where there is none. */
export const unknownPetDeployments: readonly Deployment[] = [
  {
    name: 'answers the first animal to any id',
    breaks: ['get-pet/right-animal', 'get-pet/unknown-is-404', 'get-pet/non-integer'],
    createBehaviour: changeId(() => '1'),
  },
  {
    name: 'answers the first animal to unknown ids',
    breaks: ['get-pet/unknown-is-404', 'get-pet/non-integer'],
    createBehaviour: changeId((id) => (/^\d{1,3}$/.test(id) ? id : '1')),
  },
  {
    name: 'answers an animal to ids that are the same as a double',
    breaks: ['get-pet/unknown-is-404'],
    options: { profile: 'edge-cases' },
    createBehaviour: () => async (request, asMock) => {
      const reply = await asMock(request);
      if (!isFetch(request) || reply.status !== 404 || !/^-?\d{16,18}$/.test(idOf(request))) return reply;
      const near = [-1n, 1n].map((step) =>
        asMock({ ...request, path: `/pets/${BigInt(idOf(request)) + step}` }),
      );
      return (await Promise.all(near)).find(({ status }) => status === 200) ?? reply;
    },
  },
  {
    name: 'answers an animal to the negative of its id',
    breaks: ['get-pet/unknown-is-404'],
    createBehaviour: changeId(ofInteger((id) => (id < 0n && id > -1_000_000n ? -id : id))),
  },
  {
    name: 'answers an animal to the lower 32 bits of an id',
    breaks: ['get-pet/unknown-is-404'],
    createBehaviour: changeId(ofInteger((id) => BigInt.asUintN(32, id))),
  },
  {
    name: 'answers an animal to the lower 64 bits of an id',
    breaks: ['get-pet/non-integer'],
    createBehaviour: changeId((id) => (/^\d{20}$/.test(id) ? String(BigInt.asIntN(64, BigInt(id))) : id)),
  },
  {
    name: 'answers the first animal to 0',
    breaks: ['get-pet/unknown-is-404'],
    createBehaviour: changeId((id) => (id === '0' ? '1' : id)),
  },
  {
    name: 'answers 500 to an id that is no UTF-8',
    breaks: ['errors/no-server-fault'],
    createBehaviour: changeReply(
      (request) => isFetch(request) && request.path.endsWith('%E0%A4'),
      () => createError(500),
    ),
  },
  {
    name: 'answers the greatest id to those above it',
    breaks: ['get-pet/unknown-is-404'],
    options: { animals: 60 },
    createBehaviour: changeReply(
      (request, { status }) => isFetch(request) && status === 404 && /^\d{3}$/.test(idOf(request)),
      () => createReply(200, { id: 60n, name: 'Rex', categoryId: 1n }),
    ),
  },
  ...Object.entries(answerOfUnknown).map(([what, answer]) => ({
    name: `answers an unknown id ${what}`,
    breaks: ['get-pet/unknown-is-404', ...(answer.status < 300 ? ['get-pet/non-integer'] : [])],
    createBehaviour: changeReply(
      (request, { status }) => isFetch(request) && status === 404,
      () => answer,
    ),
  })),
  {
    name: 'answers a negative id 400',
    breaks: ['get-pet/unknown-is-404'],
    createBehaviour: changeReply(
      (request, { status }) => isFetch(request) && status === 404 && idOf(request).startsWith('-'),
      () => createError(400),
    ),
  },
  {
    name: 'answers an animal to a number with more behind it',
    breaks: ['get-pet/non-integer'],
    createBehaviour: changeId((id) => String(Number.parseInt(id, 10) || id)),
  },
  {
    name: 'answers an animal to an id with letters behind it',
    breaks: ['get-pet/non-integer'],
    createBehaviour: changeId((id) => id.replace(/^(\d+)[a-z]+$/, '$1')),
  },
  {
    name: 'rounds an id that is no integer',
    breaks: ['get-pet/non-integer'],
    createBehaviour: changeId((id) => (/^\d+\.\d+$/.test(id) ? String(Math.round(Number(id))) : id)),
  },
  {
    name: 'answers an animal to a word',
    breaks: ['get-pet/non-integer'],
    createBehaviour: changeId((id) => (/^[a-z]+$/.test(id) ? '1' : id)),
  },
  {
    name: 'wraps ids beyond int64 around',
    breaks: ['get-pet/non-integer'],
    options: { profile: 'edge-cases' },
    createBehaviour: changeId((id) => (/^-?\d+$/.test(id) ? String(BigInt.asIntN(64, BigInt(id))) : id)),
  },
  {
    name: 'answers a redirection by id',
    breaks: ['get-pet/success', 'get-pet/finds-added', 'get-pet/unknown-is-404'],
    createBehaviour: answerWith(isFetch, { status: 301, headers: { location: '/v1/pets' }, body: '' }),
  },
];
