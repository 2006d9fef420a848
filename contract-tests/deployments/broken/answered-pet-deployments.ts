import { type ChangeReply, change, refuse } from '../changes.ts';
import type { CreateBehaviour, Deployment } from '../deployment.ts';
import { alter, drop, set } from '../members.ts';
import { createEmpty, sendAs } from '../replies.ts';
import { answered, isCreation, sentBy } from '../requests.ts';
import { broken, forEach } from '../rows.ts';

function changeAdded(toReply: ChangeReply): CreateBehaviour {
  return change.reply(answered(201, isCreation), toReply);
}

/** Deployments that answer a creation in a wrong way. */
export const answeredPetDeployments: readonly Deployment[] = [
  ...broken('create-pet/success', {
    'answers a creation 200': changeAdded(() => ({ status: 200 })),
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
    'answers a creation in an array': change.created((animal) => [animal]),
    'answers a creation without an id': change.created(drop('id')),
    'answers a creation with a string for the id': change.created(alter('id', String)),
    'answers a creation with null for the id': change.created(set({ id: null })),
  }),
  ...broken(['create-pet/pet', 'create-pet/stored', 'get-pet/finds-added'], {
    'answers a creation with an id beyond int64': change.created(
      alter('id', (id) => 2n ** 63n + (id as bigint)),
    ),
  }),
  ...broken(
    [
      ...['pet', 'echoes', 'text-exact', 'int64-exact', 'status-kept'].map((name) => `create-pet/${name}`),
      'get-pet/finds-added',
    ],
    { 'answers a creation with its id alone': change.created(({ id = null }) => ({ id })) },
  ),
  ...broken(['create-pet/echoes', 'create-pet/text-exact', 'create-pet/stored', 'get-pet/finds-added'], {
    'answers a creation with the name in upper case': change.created(
      alter('name', (name) => String(name).toUpperCase()),
    ),
  }),
  ...broken(['create-pet/echoes', 'create-pet/int64-exact', 'create-pet/stored', 'get-pet/finds-added'], {
    'answers a creation with another category': change.created(set({ categoryId: 0n })),
  }),
  ...broken(['create-pet/echoes', 'create-pet/status-kept'], {
    'answers a creation without the status': change.created(drop('status')),
  }),
  ...broken('service/media-type', { 'answers a creation as plain text': changeAdded(sendAs('text/plain')) }),
];
