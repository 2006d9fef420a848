import {
  answered,
  asText,
  changeCreated,
  changeReply,
  createEmpty,
  drop,
  isCreation,
  refuse,
  sendAs,
  sentBy,
  set,
} from '../changes.ts';
import { broken, type CreateBehaviour, type DeployedReply, type Deployment, forEach } from '../deployment.ts';

/** Changes the replies that say that an animal was added. */
function changeAdded(change: (reply: DeployedReply) => Partial<DeployedReply>): CreateBehaviour {
  return changeReply(answered(201, isCreation), change);
}

/** Deployments that answer a creation in a wrong way. */
export const answeredPetDeployments: readonly Deployment[] = [
  ...broken('create-pet/success', {
    ...forEach([200, 202], (status) => [`answers a creation ${status}`, changeAdded(() => ({ status }))]),
    ...forEach(['application/json; charset=utf-8', 'Application/JSON'], (type) => [
      `refuses an animal as ${type}`,
      refuse((request) => isCreation(request) && request.headers['content-type'] === type, 415),
    ]),
    'wants a status of every new animal': refuse(
      (request) => isCreation(request) && sentBy(request).status === undefined,
    ),
  }),
  ...broken('create-pet/pet', {
    'answers a creation with no body': changeAdded(({ headers }) => createEmpty(201, headers)),
    'answers a creation in an array': changeCreated((animal) => [animal]),
    'answers a creation without an id': changeCreated(drop('id')),
    'answers a creation with a string for the id': changeCreated(asText('id')),
    'answers a creation with null for the id': changeCreated(set({ id: null })),
  }),
  ...broken(['create-pet/pet', 'create-pet/stored', 'get-pet/finds-added'], {
    'answers a creation with an id beyond int64': changeCreated((animal) => ({
      ...animal,
      id: 2n ** 63n + (animal.id as bigint),
    })),
  }),
  ...broken(
    [
      ...['pet', 'echoes', 'text-exact', 'int64-exact', 'status-kept'].map((name) => `create-pet/${name}`),
      'get-pet/finds-added',
    ],
    { 'answers a creation with its id alone': changeCreated(({ id = null }) => ({ id })) },
  ),
  ...broken(['create-pet/echoes', 'create-pet/text-exact', 'create-pet/stored', 'get-pet/finds-added'], {
    'answers a creation with the name in upper case': changeCreated((animal) => ({
      ...animal,
      name: String(animal.name).toUpperCase(),
    })),
  }),
  ...broken(['create-pet/echoes', 'create-pet/int64-exact', 'create-pet/stored', 'get-pet/finds-added'], {
    'answers a creation with another category': changeCreated(set({ categoryId: 0n })),
  }),
  ...broken(['create-pet/echoes', 'create-pet/status-kept'], {
    'answers a creation without the status': changeCreated(drop('status')),
  }),
  ...broken('service/media-type', { 'answers a creation as plain text': changeAdded(sendAs('text/plain')) }),
];
