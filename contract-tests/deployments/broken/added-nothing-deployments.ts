import { type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import { type CreateBehaviour, hasKey, isCreation, sentBy, without } from '../changes.ts';
import type { Deployment } from '../deployment.ts';

/** Adds an animal of a body that is refused. */
function addRefused(repair: (sent: JsonObject) => JsonObject): CreateBehaviour {
  return () => async (request, asMock) => {
    const reply = await asMock(request);
    const sent = sentBy(request);
    if (isCreation(request) && hasKey(request) && reply.status === 400 && Object.keys(sent).length > 1) {
      await asMock({ ...request, body: printExactJson(repair(sent)) });
    }
    return reply;
  };
}

/** Deployments that keep what they refuse. */
export const addedNothingDeployments: readonly Deployment[] = [
  {
    name: 'keeps an animal that it refuses for its status without one, among many',
    breaks: ['create-pet/refused-adds-nothing'],
    options: { animals: 400 },
    createBehaviour: addRefused((sent) => (sent.status === 'lost' ? without(sent, 'status') : sent)),
  },
  {
    name: 'keeps an animal that it refuses for its status, among many that are sold',
    breaks: ['create-pet/refused-adds-nothing'],
    options: { animals: 400 },
    createBehaviour: addRefused((sent) => (sent.status === 'lost' ? { ...sent, status: 'sold' } : sent)),
  },
  {
    name: 'adds an animal without a name although it refuses it',
    breaks: ['create-pet/refused-adds-nothing'],
    createBehaviour: addRefused((sent) => ({ name: '', ...sent })),
  },
  {
    name: 'adds an animal that it refuses for its name',
    breaks: ['create-pet/refused-adds-nothing'],
    createBehaviour: addRefused((sent) => (sent.name === 1n ? { ...sent, name: '1' } : sent)),
  },
  {
    name: 'adds an animal that it refuses for its large categoryId',
    breaks: ['create-pet/refused-adds-nothing'],
    createBehaviour: addRefused((sent) => ({
      ...sent,
      categoryId: typeof sent.categoryId === 'bigint' ? BigInt.asIntN(64, sent.categoryId) : null,
    })),
  },
  {
    name: 'adds an animal that it refuses for its missing categoryId',
    breaks: ['create-pet/refused-adds-nothing'],
    createBehaviour: addRefused((sent) => ({ categoryId: 1n, ...sent })),
  },
  {
    name: 'adds an animal that it refuses for its categoryId',
    breaks: ['create-pet/refused-adds-nothing'],
    createBehaviour: addRefused((sent) => ({
      ...sent,
      categoryId: BigInt(
        String(sent.categoryId ?? 'x')
          .replaceAll(/\D+/g, '')
          .slice(0, 15) || 1,
      ),
    })),
  },
  {
    name: 'adds an animal that it refuses for its status',
    breaks: ['create-pet/refused-adds-nothing'],
    createBehaviour: addRefused((sent) => (sent.status === 'lost' ? { ...sent, status: 'sold' } : sent)),
  },
];
