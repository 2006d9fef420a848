import { type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import { isInt64 } from '../../../common/int64.ts';
import {
  answerOtherwise,
  asDouble,
  changeBody,
  changeSent,
  createReply,
  drop,
  isCreation,
  isNewPet,
  readJson,
  refuse,
  sentBy,
  set,
} from '../changes.ts';
import { broken, type CreateBehaviour, type Deployment, forEach } from '../deployment.ts';

/** Ways to keep another text than the one that was sent. */
const texts: Readonly<Record<string, (name: string) => string>> = {
  'without the space at its end': (name) => name.trimEnd(),
  'without the space at its beginning': (name) => name.trimStart(),
  'with single spaces': (name) => name.replaceAll(/ +/g, ' '),
  'with escaped markup': (name) => name.replaceAll('<', '&lt;'),
  'with escaped quotes': (name) => name.replaceAll("'", '&#39;'),
  'without markup': (name) => name.replaceAll(/<[^>]*>/g, ''),
  'without backslashes': (name) => name.replaceAll('\\', ''),
  'with percent signs decoded': (name) => name.replaceAll('%41', 'A'),
  'with question marks for what is not ASCII': (name) => name.replaceAll(/[^\0-\x7f]/g, '?'),
  'with question marks for what is not Latin-1': (name) => name.replaceAll(/[^\0-\xff]/g, '?'),
  'without emoji': (name) => name.replaceAll(/\p{Extended_Pictographic}/gu, ''),
  'without what is not seen': (name) => name.replaceAll(/\p{Cf}/gu, ''),
  'normalised to NFC': (name) => name.normalize('NFC'),
  'normalised to NFD': (name) => name.normalize('NFD'),
  'with ligatures taken apart': (name) => name.replaceAll('ﬁ', 'fi'),
  'without line breaks': (name) => name.replaceAll('\n', ' '),
  'cut off after 100 characters': (name) => name.slice(0, 100),
  'cut off after 255 characters': (name) => name.slice(0, 255),
  'cut off after 2000 characters': (name) => name.slice(0, 2000),
};

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

/** Changes the animals that are sent with a valid status. */
function changeStatus(change: (sent: JsonObject) => JsonObject): CreateBehaviour {
  return changeSent((sent) => (hasStatus(sent) ? change(sent) : sent));
}

function hasStatus({ status }: JsonObject): boolean {
  return status === 'available' || status === 'pending' || status === 'sold';
}

/** Deployments that keep something else of an animal than was sent. */
export const keptPetDeployments: readonly Deployment[] = [
  ...broken('create-pet/text-exact', {
    ...forEach(Object.entries(texts), ([how, change]) => [
      `keeps a name ${how}`,
      changeSent((sent) => (typeof sent.name === 'string' ? { ...sent, name: change(sent.name) } : sent)),
    ]),
    'keeps the escapes of a name as they are': changeBody((body) =>
      body.replaceAll(/\\u(?=[0-9a-f]{4})(?!00[01])/g, '\\\\u'),
    ),
  }),
  ...broken(
    ['create-pet/text-exact', 'create-pet/stored'],
    forEach(['with question marks for what is not ASCII', 'normalised to NFC'], (how) => [
      `answers a name as it was sent, and keeps it ${how}`,
      answerAsSent((sent) => ({ ...sent, name: texts[how]?.(String(sent.name)) ?? '' })),
    ]),
  ),
  ...broken(['create-pet/text-exact', 'create-pet/stored', 'get-pet/finds-added'], {
    'keeps another name than it answers': answerAsSent((sent) => ({ ...sent, name: `${sent.name} II` })),
  }),
  ...broken('create-pet/int64-exact', {
    'keeps a categoryId as a double': changeSent((sent) =>
      isInt64(sent.categoryId) ? { ...sent, categoryId: asDouble(sent.categoryId) } : sent,
    ),
    'takes the category 0 for 1': changeSent((sent) =>
      sent.categoryId === 0n ? { ...sent, categoryId: 1n } : sent,
    ),
    'keeps a categoryId in 32 bits if it has no more': changeSent((sent) =>
      sent.categoryId === 3_000_000_000n ? { ...sent, categoryId: BigInt.asIntN(32, sent.categoryId) } : sent,
    ),
  }),
  ...broken(['create-pet/int64-exact', 'create-pet/stored'], {
    'answers a categoryId exactly and keeps it as a double': answerAsSent((sent) => ({
      ...sent,
      categoryId: asDouble(sent.categoryId),
    })),
  }),
  ...broken(['create-pet/echoes', 'create-pet/status-kept'], {
    'drops the status of a new animal': changeStatus(drop('status')),
    'makes every new animal available': changeStatus(set({ status: 'available' })),
  }),
  ...broken('create-pet/status-kept', {
    'makes new animals that are sold pending': changeStatus((sent) =>
      sent.status === 'sold' ? { ...sent, status: 'pending' } : sent,
    ),
    'refuses new animals that are pending': refuse(
      (request) => isCreation(request) && sentBy(request).status === 'pending',
    ),
  }),
  ...broken(['create-pet/status-kept', 'create-pet/stored', 'get-pet/finds-added'], {
    ...forEach(
      [['available', 'pending'] as const, ['pending', 'available'], ['sold', 'pending']],
      ([one, other]) => [
        `answers that an animal is ${one} and keeps it as ${other}`,
        answerAsSent((sent) => (sent.status === one ? { ...sent, status: other } : sent)),
      ],
    ),
    'answers the status of a new animal and does not keep it': answerAsSent((sent) =>
      hasStatus(sent) ? drop('status')(sent) : sent,
    ),
  }),
];
