import type { JsonObject } from '../../../common/json/exact-json.ts';
import { answerOtherwise, change, refuse } from '../changes.ts';
import { createAnimals, createStoreBehaviour } from '../conforming/store-behaviour.ts';
import { type CreateBehaviour, type Deployment, deployments } from '../deployment.ts';
import { animalsOf, createReply } from '../replies.ts';
import { always, isListOf, withParameters } from '../requests.ts';

/** Lists all or 101 animals for a limit that is not valid. */
function listMore(taken: string, count = 300, usualLimit?: string): CreateBehaviour {
  const readInvalidLimit = (limit: string) => (limit === taken ? Number(taken) || 300 : undefined);
  const policy = { animals: createAnimals(count), pageSize: 300, readInvalidLimit, usualLimit };
  return () => createStoreBehaviour(policy);
}

const statuses = ['available', 'pending', 'sold'];

function filterAfterwards(isMeant: (limit: string | null) => boolean = always): CreateBehaviour {
  const isByStatus = isListOf((limit, status) => isMeant(limit) && statuses.includes(status ?? ''));
  return answerOtherwise(isByStatus, async (request, asMock) => {
    const reply = await asMock({ ...request, query: withParameters(request.query, { status: null }) });
    const hasStatus = ({ status }: JsonObject) => status === request.query.get('status');
    return reply.status === 200 ? createReply(200, animalsOf(reply).filter(hasStatus)) : reply;
  });
}

function leaveOut(place: number): CreateBehaviour {
  return change.list((list, { query }) =>
    query.has('status') && list.length >= 5 ? list.toSpliced(place, 1) : list,
  );
}

/** Deployments that take limit or status in a wrong way. */
export const queryDeployments: readonly Deployment[] = [
  ...deployments({
    'lists all animals for a parameter that it does not know': change.query(
      (limit, status, query) => limit === null && status === null && query.size > 0,
      { limit: '100' },
    ),
  }),

  ...deployments({
    'lists all animals where limit is left out': listMore('all', 300, 'all'),
    'takes a limit of 101': listMore('101'),

    'lists all animals for a limit of 1000, which are more than 100 at the end of a run': listMore(
      '1000',
      48,
    ),

    'refuses a limit above 50, but for 100': refuse(
      isListOf((limit) => /^(?:5[1-9]|[6-9]\d)$/.test(limit ?? '')),
    ),

    'lists animals without a status by every status': () =>
      createStoreBehaviour({ animals: createAnimals(30), unshown: statuses }),
  }),

  ...deployments({
    'looks at the status after the limit': filterAfterwards(),
  }),

  ...deployments(
    {
      'leaves out the last animal of a status': leaveOut(-2),
    },
    {
      options: { animals: 60 },
    },
  ),
];
