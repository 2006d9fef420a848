import { type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import {
  answerOtherwise,
  asDouble,
  type CreateBehaviour,
  changeBody,
  changeSent,
  createError,
  createReply,
  hasKey,
  isCreation,
  readJson,
  sentBy,
  without,
} from '../changes.ts';
import type { Deployment } from '../deployment.ts';

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

/** Deployments that keep something else of an animal than was sent. */
export const keptPetDeployments: readonly Deployment[] = [
  ...Object.entries(texts).map(([how, change]) => ({
    name: `keeps a name ${how}`,
    breaks: ['create-pet/text-exact'],
    createBehaviour: changeSent((sent) =>
      typeof sent.name === 'string' ? { ...sent, name: change(sent.name) } : sent,
    ),
  })),
  ...['with question marks for what is not ASCII', 'normalised to NFC'].map((how) => ({
    name: `answers a name as it was sent, and keeps it ${how}`,
    breaks: ['create-pet/text-exact', 'create-pet/stored'],
    createBehaviour: answerAsSent((sent) => ({ ...sent, name: texts[how]?.(String(sent.name)) ?? '' })),
  })),
  {
    name: 'keeps another name than it answers',
    breaks: ['create-pet/text-exact', 'create-pet/stored', 'get-pet/finds-added'],
    createBehaviour: answerAsSent((sent) => ({ ...sent, name: `${sent.name} II` })),
  },
  {
    name: 'keeps a categoryId as a double',
    breaks: ['create-pet/int64-exact'],
    createBehaviour: changeSent((sent) =>
      isInt64(sent.categoryId) ? { ...sent, categoryId: asDouble(sent.categoryId) } : sent,
    ),
  },
  {
    name: 'answers a categoryId exactly and keeps it as a double',
    breaks: ['create-pet/int64-exact', 'create-pet/stored'],
    createBehaviour: answerAsSent((sent) => ({ ...sent, categoryId: asDouble(sent.categoryId) })),
  },
  {
    name: 'keeps the lower 32 bits of a categoryId',
    breaks: ['create-pet/int64-exact'],
    createBehaviour: changeSent((sent) =>
      isInt64(sent.categoryId) ? { ...sent, categoryId: BigInt.asIntN(32, sent.categoryId as bigint) } : sent,
    ),
  },
  {
    name: 'drops the status of a new animal',
    breaks: ['create-pet/echoes', 'create-pet/status-kept'],
    createBehaviour: changeSent((sent) => (isStatus(sent.status) ? without(sent, 'status') : sent)),
  },
  {
    name: 'makes every new animal available',
    breaks: ['create-pet/echoes', 'create-pet/status-kept'],
    createBehaviour: changeSent((sent) => (isStatus(sent.status) ? { ...sent, status: 'available' } : sent)),
  },
  {
    name: 'makes new animals that are sold pending',
    breaks: ['create-pet/status-kept'],
    createBehaviour: changeSent((sent) => (sent.status === 'sold' ? { ...sent, status: 'pending' } : sent)),
  },
  ...[
    ['available', 'pending'],
    ['pending', 'available'],
    ['sold', 'pending'],
  ].map(([status = '', other = '']) => ({
    name: `answers that an animal is ${status} and keeps it as ${other}`,
    breaks: ['create-pet/status-kept', 'create-pet/stored', 'get-pet/finds-added'],
    createBehaviour: answerAsSent((sent) => (sent.status === status ? { ...sent, status: other } : sent)),
  })),
  {
    name: 'answers the status of a new animal and does not keep it',
    breaks: ['create-pet/status-kept', 'create-pet/stored', 'get-pet/finds-added'],
    createBehaviour: answerAsSent((sent) => (isStatus(sent.status) ? without(sent, 'status') : sent)),
  },
  {
    name: 'takes the category 0 for 1',
    breaks: ['create-pet/int64-exact'],
    createBehaviour: changeSent((sent) => (sent.categoryId === 0n ? { ...sent, categoryId: 1n } : sent)),
  },
  {
    name: 'keeps a categoryId in 32 bits if it has no more',
    breaks: ['create-pet/int64-exact'],
    createBehaviour: changeSent((sent) =>
      sent.categoryId === 3_000_000_000n ? { ...sent, categoryId: BigInt.asIntN(32, sent.categoryId) } : sent,
    ),
  },
  {
    name: 'keeps the escapes of a name as they are',
    breaks: ['create-pet/text-exact'],
    createBehaviour: changeBody((body) => body.replaceAll(/\\u(?=[0-9a-f]{4})(?!00[01])/g, '\\\\u')),
  },
  {
    name: 'refuses new animals that are pending',
    breaks: ['create-pet/status-kept'],
    createBehaviour: refuseSent((sent) => sent.status === 'pending'),
  },
];

function isInt64(value: unknown): boolean {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}

function isStatus(value: unknown): boolean {
  return value === 'available' || value === 'pending' || value === 'sold';
}

function refuseSent(isMeant: (sent: JsonObject) => boolean) {
  return answerOtherwise(
    (request) => isCreation(request) && hasKey(request) && isMeant(sentBy(request)),
    async () => createError(400),
  );
}

/** Answers what was sent, under the id of what was kept instead. */
function answerAsSent(keep: (sent: JsonObject) => JsonObject): CreateBehaviour {
  return () => async (request, asMock) => {
    const lawful =
      isCreation(request) && isInt64(sentBy(request).categoryId) && typeof sentBy(request).name === 'string';
    if (!lawful) return asMock(request);
    const body = printExactJson(keep(sentBy(request)));
    const reply = await asMock({ ...request, body });
    const answered = readJson(reply.body) as JsonObject;
    return reply.status === 201 ? createReply(201, { ...sentBy(request), id: answered.id ?? null }) : reply;
  };
}
