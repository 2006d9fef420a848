import { type ExactJson, type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import { isInt64 } from '../../../common/int64.ts';
import { answerOtherwise, change, refuse } from '../changes.ts';
import type { CreateBehaviour, Deployment } from '../deployment.ts';
import { alter, asDouble, type ChangeBody, drop, inObject, isNewPet, readJson, set } from '../members.ts';
import { createReply } from '../replies.ts';
import { isCreation, sentBy } from '../requests.ts';
import { broken, firstOf, forEach } from '../rows.ts';

const statuses: readonly ExactJson[] = ['available', 'pending', 'sold'];

/** Ways to keep another text than the one that was sent; see `firstOf`. */
const texts = {
  'without the space at its end': (name: string) => name.trimEnd(),
  'cut off after 2000 characters': (name: string) => name.slice(0, 2000),
  'with question marks for what is not ASCII': (name: string) => name.replaceAll(/[^\0-\x7f]/g, '?'),
  'normalised to NFC': (name: string) => name.normalize('NFC'),
  'without the space at its beginning': (name: string) => name.trimStart(),
  'with single spaces': (name: string) => name.replaceAll(/ +/g, ' '),
  'with escaped markup': (name: string) => name.replaceAll('<', '&lt;'),
  'with escaped quotes': (name: string) => name.replaceAll("'", '&#39;'),
  'without markup': (name: string) => name.replaceAll(/<[^>]*>/g, ''),
  'without backslashes': (name: string) => name.replaceAll('\\', ''),
  'with percent signs decoded': (name: string) => name.replaceAll('%41', 'A'),
  'with question marks for what is not Latin-1': (name: string) => name.replaceAll(/[^\0-\xff]/g, '?'),
  'without emoji': (name: string) => name.replaceAll(/\p{Extended_Pictographic}/gu, ''),
  'without what is not seen': (name: string) => name.replaceAll(/\p{Cf}/gu, ''),
  'normalised to NFD': (name: string) => name.normalize('NFD'),
  'with ligatures taken apart': (name: string) => name.replaceAll('ﬁ', 'fi'),
  'without line breaks': (name: string) => name.replaceAll('\n', ' '),
  'cut off after 100 characters': (name: string) => name.slice(0, 100),
  'cut off after 255 characters': (name: string) => name.slice(0, 255),
};

/** What deployments make of valid bodies, by the clause that tries them. */
export const inexact: Readonly<Record<string, Readonly<Record<string, ChangeBody>>>> = {
  'create-pet/text-exact': forEach(Object.entries(texts), ([how, toText]) => [
    `keeps a name ${how}`,
    inObject(changeName(toText)),
  ]),
  'create-pet/int64-exact': {
    'keeps a categoryId as a double': inObject(
      alter('categoryId', (id) => (isInt64(id) ? asDouble(id) : id)),
    ),
    'takes the category 0 for 1': inObject(alter('categoryId', take(0n, 1n))),
    'keeps a categoryId in 32 bits if it has no more': inObject(
      alter('categoryId', take(3_000_000_000n, BigInt.asIntN(32, 3_000_000_000n))),
    ),
  },
};

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
  ...broken('create-pet/text-exact', firstOf(2, inexact['create-pet/text-exact'], change.body)),
  ...broken('create-pet/int64-exact', firstOf(1, inexact['create-pet/int64-exact'], change.body)),
  ...broken('create-pet/text-exact', {
    'keeps the escapes of a name as they are': change.body((body) =>
      body.replaceAll(/\\u(?=[0-9a-f]{4})(?!00[01])/g, '\\\\u'),
    ),
  }),
  ...broken(
    ['create-pet/text-exact', 'create-pet/stored'],
    forEach(['with question marks for what is not ASCII', 'normalised to NFC'] as const, (how) => [
      `answers a name as it was sent, and keeps it ${how}`,
      answerAsSent(changeName(texts[how])),
    ]),
  ),
  ...broken(['create-pet/text-exact', 'create-pet/stored', 'get-pet/finds-added'], {
    'keeps another name than it answers': answerAsSent(changeName((name) => `${name} II`)),
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
