import type { JsonObject } from '../../../common/exact-json.ts';
import { answerOtherwise, answerWith, change, refuse } from '../changes.ts';
import type { CreateBehaviour, Deployment } from '../deployment.ts';
import { drop } from '../members.ts';
import { animalsOf, createEmpty, createReply } from '../replies.ts';
import { always, isListOf, isListWith, withParameters } from '../requests.ts';
import { broken, brokenWith } from '../rows.ts';

const statuses = ['available', 'pending', 'sold'];
const filters = ['list-pets/status-filters', 'list-pets/status-complete', 'create-pet/stored'];

function filterAfterwards(
  isListed: (animal: JsonObject, status: string | null) => boolean,
  isMeant: (limit: string | null) => boolean = always,
): CreateBehaviour {
  return answerOtherwise(
    isListOf((limit, status) => isMeant(limit) && statuses.includes(status ?? '')),
    async (request, asMock) => {
      const status = request.query.get('status');
      const reply = await asMock({ ...request, query: withParameters(request.query, { status: null }) });
      if (reply.status !== 200) return reply;
      const listed = animalsOf(reply).filter((animal) => isListed(animal, status));
      return createReply(200, listed);
    },
  );
}

function leaveOut(place: number): CreateBehaviour {
  return change.list((list, { query }) =>
    query.has('status') && list.length >= 5 ? list.toSpliced(place, 1) : list,
  );
}

const hasStatus = (animal: JsonObject, status: string | null) => animal.status === status;
const isUnknown = isListWith({ status: 'lost' });

/** Deployments that filter by status in a wrong way. */
export const statusDeployments: readonly Deployment[] = [
  ...broken('list-pets/status-filters', {
    'ignores the status pending': change.query((_, status) => status === 'pending', { status: null }),
    'lists animals without a status as available': change.listed((animal, { query }) =>
      query.get('status') === 'available' && Number(animal.id) < 20 ? drop('status')(animal) : animal,
    ),
  }),
  ...broken(filters, {
    'takes pending for sold in the filter': change.query((_, status) => status === 'pending', {
      status: 'sold',
    }),
  }),
  ...broken('list-pets/success', {
    'refuses the status pending in the filter': refuse(isListWith({ status: 'pending' })),
  }),
  ...broken(['list-pets/filter-before-limit', ...filters], {
    'lists the animals that have not the status': filterAfterwards((...all) => !hasStatus(...all)),
  }),
  ...broken(['list-pets/filter-before-limit', 'create-pet/stored'], {
    'looks at the status after the limit': filterAfterwards(hasStatus),
  }),
  ...broken('list-pets/limit-default', {
    'looks at the status after the limit where limit is left out': filterAfterwards(
      hasStatus,
      (limit) => limit === null,
    ),
  }),
  ...brokenWith({ animals: 60 }, 'list-pets/status-complete', {
    'leaves out the first animal of a status': leaveOut(0),
  }),
  ...brokenWith({ animals: 60 }, ['list-pets/status-complete', 'create-pet/stored'], {
    'leaves out the last animal of a status': leaveOut(-2),
  }),
  ...broken('list-pets/status-invalid', {
    'answers null to an unknown status': answerWith(isUnknown, createReply(200, null)),
    'answers 204 to an unknown status': answerWith(isUnknown, createEmpty(204)),
  }),
];
