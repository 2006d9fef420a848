import type { JsonObject } from '../../../common/exact-json.ts';
import {
  animalsOf,
  answerOtherwise,
  answerWith,
  changeList,
  changeQuery,
  createEmpty,
  createReply,
  isListOf,
  isListWith,
  refuse,
  withParameters,
} from '../changes.ts';
import { broken, type CreateBehaviour, type Deployment, forEach } from '../deployment.ts';

const statuses = ['available', 'pending', 'sold'];

/** Lists by status out of what the mock lists of all animals, so that the limit comes first. */
function filterAfterwards(
  isListed: (animal: JsonObject, status: string | null) => boolean,
  isMeant: (limit: string | null) => boolean = () => true,
): CreateBehaviour {
  return answerOtherwise(
    isListOf((limit, status) => isMeant(limit) && statuses.includes(status ?? '')),
    async (request, asMock) => {
      const reply = await asMock({ ...request, query: withParameters(request.query, { status: null }) });
      const status = request.query.get('status');
      return reply.status === 200
        ? createReply(
            200,
            animalsOf(reply).filter((animal) => isListed(animal, status)),
          )
        : reply;
    },
  );
}

/** Lists animals without a status behind those that are available. */
function addWithoutStatus(): CreateBehaviour {
  return answerOtherwise(isListWith({ status: 'available' }), async (request, asMock) => {
    const reply = await asMock(request);
    const all = await asMock({ ...request, query: withParameters(request.query, { status: null }) });
    if (reply.status !== 200) return reply;
    const others = animalsOf(all).filter(({ status }) => status === undefined);
    const limit = Number(request.query.get('limit') ?? 20);
    return createReply(200, [...animalsOf(reply), ...others].slice(0, limit));
  });
}

/** Leaves one animal out of each list by status. */
function leaveOut(place: number): CreateBehaviour {
  return changeList((list, { query }) =>
    query.has('status') && list.length >= 5 ? list.toSpliced(place, 1) : list,
  );
}

/** Deployments that filter by status in a wrong way. */
export const statusDeployments: readonly Deployment[] = [
  ...broken('list-pets/status-filters', {
    ...forEach(statuses, (ignored) => [
      `ignores the status ${ignored}`,
      changeQuery((_, status) => (status === ignored ? { status: null } : {})),
    ]),
    'lists animals without a status as available': addWithoutStatus(),
  }),
  ...broken(['list-pets/status-filters', 'list-pets/status-complete', 'create-pet/stored'], {
    'takes pending for sold in the filter': changeQuery((_, status) =>
      status === 'pending' ? { status: 'sold' } : {},
    ),
  }),
  ...broken('list-pets/success', {
    'refuses the status pending in the filter': refuse(isListWith({ status: 'pending' })),
  }),
  ...broken(
    [
      'list-pets/filter-before-limit',
      'list-pets/status-filters',
      'list-pets/status-complete',
      'create-pet/stored',
    ],
    {
      'lists the animals that have not the status': filterAfterwards(
        (animal, status) => animal.status !== status,
      ),
    },
  ),
  ...broken(['list-pets/filter-before-limit', 'create-pet/stored'], {
    'looks at the status after the limit': filterAfterwards((animal, status) => animal.status === status),
  }),
  ...broken('list-pets/limit-default', {
    'looks at the status after the limit where limit is left out': filterAfterwards(
      (animal, status) => animal.status === status,
      (limit) => limit === null,
    ),
  }),
  ...broken(
    'list-pets/status-complete',
    { 'leaves out the first animal of a status': leaveOut(0) },
    { animals: 60 },
  ),
  ...broken(
    ['list-pets/status-complete', 'create-pet/stored'],
    { 'leaves out the last animal of a status but one': leaveOut(-2) },
    { animals: 60 },
  ),
  ...broken('list-pets/status-invalid', {
    'answers null to an unknown status': answerWith(isListWith({ status: 'lost' }), createReply(200, null)),
    'answers 204 to an unknown status': answerWith(isListWith({ status: 'lost' }), createEmpty(204)),
  }),
];
