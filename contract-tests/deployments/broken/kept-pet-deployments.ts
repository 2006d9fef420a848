import { type ExactJson, type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import { isInt64 } from '../../../common/int64.ts';
import { answerOtherwise, change, refuse } from '../changes.ts';
import type { CreateBehaviour, Deployment } from '../deployment.ts';
import { alter, asDouble, drop, isNewPet, readJson, set } from '../members.ts';
import { createReply } from '../replies.ts';
import { isCreation, sentBy } from '../requests.ts';
import { broken } from '../rows.ts';

const statuses: readonly ExactJson[] = ['available', 'pending', 'sold'];

/** Answers what was sent, under the id of what was kept instead. */
function answerAsSent(keep: (sent: JsonObject) => JsonObject): CreateBehaviour {
  return answerOtherwise(isCreation, async (request, asMock) => {
    const sent = sentBy(request);
    if (!isNewPet(sent) || !isInt64(sent.categoryId)) return asMock(request);
    const reply = await asMock({ ...request, body: printExactJson(keep(sent)) });
    const kept = readJson(reply.body) as JsonObject;
    return reply.status === 201 ? createReply(201, { ...sent, id: kept.id ?? null }) : reply;
  });
}

function changeStatus(toSent: (sent: JsonObject) => JsonObject) {
  return (sent: JsonObject): JsonObject => (statuses.includes(sent.status ?? null) ? toSent(sent) : sent);
}

function take(value: ExactJson, other: ExactJson): (sent: ExactJson) => ExactJson {
  return (sent) => (sent === value ? other : sent);
}

function changeName(toText: (name: string) => string) {
  return alter('name', (name) => (typeof name === 'string' ? toText(name) : name));
}

/** Deployments that keep something else of an animal than was sent. */
export const keptPetDeployments: readonly Deployment[] = [
  ...broken('create-pet/text-exact', {
    'keeps a name without the space at its end': change.sent(changeName((name) => name.trimEnd())),
    'keeps a name cut off after 2000 characters': change.sent(changeName((name) => name.slice(0, 2000))),
    'keeps the escapes of a name as they are': change.body((body) =>
      body.replaceAll(/\\u(?=[0-9a-f]{4})(?!00[01])/g, '\\\\u'),
    ),
  }),
  ...broken(['create-pet/text-exact', 'create-pet/stored'], {
    'answers a name as it was sent, and keeps it normalised to NFC': answerAsSent(
      changeName((name) => name.normalize('NFC')),
    ),
  }),
  ...broken(['create-pet/text-exact', 'create-pet/stored', 'get-pet/finds-added'], {
    'keeps another name than it answers': answerAsSent(changeName((name) => `${name} II`)),
  }),
  ...broken('create-pet/int64-exact', {
    'keeps a categoryId as a double': change.sent(
      alter('categoryId', (id) => (isInt64(id) ? asDouble(id) : id)),
    ),
  }),
  ...broken(['create-pet/int64-exact', 'create-pet/stored'], {
    'answers a categoryId exactly and keeps it as a double': answerAsSent(alter('categoryId', asDouble)),
  }),
  ...broken(['create-pet/echoes', 'create-pet/status-kept'], {
    'drops the status of a new animal': change.sent(changeStatus(drop('status'))),
    'makes every new animal available': change.sent(changeStatus(set({ status: 'available' }))),
  }),
  ...broken('create-pet/status-kept', {
    'makes new animals that are sold pending': change.sent(alter('status', take('sold', 'pending'))),
    'refuses new animals that are pending': refuse(
      (request) => isCreation(request) && sentBy(request).status === 'pending',
    ),
  }),
  ...broken(['create-pet/status-kept', 'create-pet/stored', 'get-pet/finds-added'], {
    'answers that an animal is sold and keeps it as pending': answerAsSent(
      alter('status', take('sold', 'pending')),
    ),
    'answers the status of a new animal and does not keep it': answerAsSent(changeStatus(drop('status'))),
  }),
];
