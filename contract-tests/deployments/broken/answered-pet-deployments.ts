import type { JsonObject } from '../../../common/exact-json.ts';
import {
  answerOtherwise,
  answerWith,
  changeCreated,
  changeReply,
  createError,
  hasKey,
  isCreation,
  sentBy,
  without,
} from '../changes.ts';
import type { Deployment } from '../deployment.ts';

/** Deployments that answer a creation in a wrong way. */
export const answeredPetDeployments: readonly Deployment[] = [
  ...[200, 202].map((status) => ({
    name: `answers a creation ${status}`,
    breaks: ['create-pet/success'],
    createBehaviour: changeReply(
      (request, reply) => isCreation(request) && reply.status === 201,
      () => ({ status }),
    ),
  })),
  {
    name: 'wants a status of every new animal',
    breaks: ['create-pet/success'],
    createBehaviour: refuseSent((sent) => sent.status === undefined),
  },
  {
    name: 'answers a creation with no body',
    breaks: ['create-pet/pet'],
    createBehaviour: changeReply(
      (request, { status }) => isCreation(request) && status === 201,
      () => ({ body: '' }),
    ),
  },
  {
    name: 'answers a creation with its id alone',
    breaks: [
      'create-pet/pet',
      ...['echoes', 'text-exact', 'int64-exact', 'status-kept'].map(inCreation),
      'get-pet/finds-added',
    ],
    createBehaviour: changeCreated(({ id = null }) => ({ id })),
  },
  {
    name: 'answers a creation in an array',
    breaks: ['create-pet/pet'],
    createBehaviour: changeCreated((animal) => [animal]),
  },
  {
    name: 'answers a creation without an id',
    breaks: ['create-pet/pet'],
    createBehaviour: changeCreated((animal) => without(animal, 'id')),
  },
  {
    name: 'answers a creation with a string for the id',
    breaks: ['create-pet/pet'],
    createBehaviour: changeCreated((animal) => ({ ...animal, id: String(animal.id) })),
  },
  {
    name: 'answers a creation with null for the id',
    breaks: ['create-pet/pet'],
    createBehaviour: changeCreated((animal) => ({ ...animal, id: null })),
  },
  {
    name: 'answers a creation with an id beyond int64',
    breaks: ['create-pet/pet', 'create-pet/stored', 'get-pet/finds-added'],
    createBehaviour: changeCreated((animal) => ({ ...animal, id: 2n ** 63n + BigInt(Number(animal.id)) })),
  },
  {
    name: 'answers a creation with null for a status that was not sent',
    breaks: ['create-pet/pet'],
    createBehaviour: changeCreated((animal) => ({ ...animal, status: animal.status ?? null })),
  },
  {
    name: 'answers a creation with the name in upper case',
    breaks: ['create-pet/echoes', 'create-pet/text-exact', 'create-pet/stored', 'get-pet/finds-added'],
    createBehaviour: changeCreated((animal) => ({ ...animal, name: String(animal.name).toUpperCase() })),
  },
  {
    name: 'answers a creation with another category',
    breaks: ['create-pet/echoes', 'create-pet/int64-exact', 'create-pet/stored', 'get-pet/finds-added'],
    createBehaviour: changeCreated((animal) => ({ ...animal, categoryId: 0n })),
  },
  {
    name: 'answers a creation without the status',
    breaks: ['create-pet/echoes', 'create-pet/status-kept'],
    createBehaviour: changeCreated((animal) => without(animal, 'status')),
  },
  {
    name: 'answers a creation as plain text',
    breaks: ['service/media-type'],
    createBehaviour: changeReply(
      (request, { status }) => isCreation(request) && status === 201,
      () => ({ headers: { 'content-type': 'text/plain' } }),
    ),
  },
  ...['application/json; charset=utf-8', 'Application/JSON'].map((type) => ({
    name: `refuses an animal as ${type}`,
    breaks: ['create-pet/success'],
    createBehaviour: answerWith(
      (request) => isCreation(request) && request.headers['content-type'] === type,
      createError(415),
    ),
  })),
];

function inCreation(name: string): string {
  return `create-pet/${name}`;
}

function refuseSent(isMeant: (sent: JsonObject) => boolean) {
  return answerOtherwise(
    (request) => isCreation(request) && hasKey(request) && isMeant(sentBy(request)),
    async () => createError(400),
  );
}
