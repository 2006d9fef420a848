import { type ExactJson, type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import { answerOtherwise, answerWith, change } from '../changes.ts';
import type { CreateBehaviour, Deployment } from '../deployment.ts';
import { alter, drop, readJson } from '../members.ts';
import { createError, createReply } from '../replies.ts';
import { answered, type IsMeant, isCreation, isMalformed, sentBy } from '../requests.ts';
import { broken, brokenWith, forEach } from '../rows.ts';

/** Takes one value of a member of what is sent for another one. */
function take(member: string, value: ExactJson, other: ExactJson): CreateBehaviour {
  return change.sent(alter(member, (sent) => (sent === value ? other : sent)));
}

/** Takes a body for that of a valid animal. */
function takeForRex(isMeant: (body: string) => boolean): CreateBehaviour {
  return change.body((body) => (isMeant(body) ? '{"name":"Rex","categoryId":1}' : body));
}

/** Takes the first animal of an array. */
function takeFirst(body: string): string {
  const value = readJson(body);
  return Array.isArray(value) && value.length > 0 ? printExactJson(value[0]) : body;
}

/** Bodies that a lenient parser takes, and what it makes of them. */
const lenient: Readonly<Record<string, readonly [string | RegExp, string]>> = {
  'with NaN in it': ['NaN', '0'],
  'with comments in it': [/\/\*.*?\*\//, ''],
  'with more behind it': [/\} Rex$/, '}'],
  'of which there is more than one': [/\n\{.*/s, ''],
  'with bare names in it': ['{name', '{"name"'],
  'with a zero before a number': [':01', ':1'],
  'with a line break in a string': ['R\nex', 'Rex'],
  'with a comma too many': [',}', ',"categoryId":1}'],
  'with a brace too many': [/\}\}$/, '}'],
  'with a brace too few': [/:1$/, ':1}'],
};

/** Refuses with another status than 400. */
function refuseWith(status: number, isMeant: IsMeant): CreateBehaviour {
  return change.errorReply(
    () => createError(status),
    answered(400, (request) => isCreation(request) && isMeant(request)),
  );
}

/** Adds an animal of a body that it refuses. */
function addRefused(repair: (sent: JsonObject) => JsonObject): CreateBehaviour {
  return answerOtherwise(isCreation, async (request, asMock) => {
    const reply = await asMock(request);
    const sent = sentBy(request);
    if (reply.status === 400 && Object.keys(sent).length > 1) {
      await asMock({ ...request, body: printExactJson(repair(sent)) });
    }
    return reply;
  });
}

const takeLost = alter('status', (status) => (status === 'lost' ? 'sold' : status));

/** The first digits of whatever was sent, as an integer. */
function readDigits(value: ExactJson): bigint {
  return BigInt(String(value).replaceAll(/\D+/g, '').slice(0, 15) || 1);
}

/** Deployments that take bodies which are to be refused, or refuse them in a wrong way. */
export const refusedPetDeployments: readonly Deployment[] = [
  ...broken('create-pet/name-required', {
    'adds an animal without a name': change.sent((sent) => ({ name: 'Rex', ...sent })),
    'adds an animal with field names in another case': change.sent(({ Name, ...sent }) =>
      Name === undefined ? sent : { name: Name, ...sent },
    ),
    'names an available animal that has no name': change.sent((sent) =>
      sent.status === 'available' ? { name: 'Rex', ...sent } : sent,
    ),
    'refuses a body without a name with 422': refuseWith(
      422,
      (request) => !('name' in sentBy(request)) && 'categoryId' in sentBy(request),
    ),
  }),
  ...broken('create-pet/category-required', {
    'adds an animal without a categoryId': change.sent((sent) => ({ categoryId: 1n, ...sent })),
  }),
  ...broken('create-pet/name-type', {
    'adds an animal with a number for a name': change.sent(
      alter('name', (name) => (typeof name === 'bigint' ? String(name) : name)),
    ),
    'adds an animal with null for a name': take('name', null, ''),
    'adds an animal with an array for a name': change.sent(
      alter('name', (name) => (Array.isArray(name) ? String(name) : name)),
    ),
    'adds an animal with a boolean for a name': take('name', true, 'true'),
    'adds an animal with an object for a name': change.sent(
      alter('name', (name) => (typeof name === 'object' && name !== null ? '[object Object]' : name)),
    ),
  }),
  ...broken('create-pet/category-type', {
    'adds an animal with a string for a categoryId': take('categoryId', '1', 1n),
    'adds an animal with an empty string for a categoryId': take('categoryId', '', 0n),
    'adds an animal with null for a categoryId': take('categoryId', null, 0n),
    'adds an animal with a boolean for a categoryId': take('categoryId', true, 1n),
    'adds an animal with a fraction for a categoryId': take('categoryId', 1.5, 1n),
    'adds an animal with a categoryId beyond int64': change.sent(
      alter('categoryId', (id) => (typeof id === 'bigint' ? BigInt.asIntN(64, id) : id)),
    ),
    'takes 400 digits for a categoryId': change.body((body) => body.replace(/:(\d{100,})/, ':1')),
  }),
  ...broken('create-pet/status-value', {
    'adds an animal with a status of null': take('status', null, 'available'),
    'adds an animal with an unknown status': change.sent(takeLost),
    'adds an animal with an empty status': take('status', '', 'sold'),
    'adds an animal with a status in another case': take('status', 'Available', 'available'),
    'adds an animal with a status with a space': change.sent(
      alter('status', (status) => (typeof status === 'string' ? status.trim() : status)),
    ),
    'adds an animal with a number for a status': take('status', 1n, 'sold'),
    'refuses a bad status with 409': refuseWith(409, (request) =>
      ['name', 'categoryId', 'status'].every((member) => member in sentBy(request)),
    ),
  }),
  ...broken('create-pet/body-required', {
    'takes an empty body for an animal': takeForRex((body) => body === ''),
    'takes a body of null for an animal': takeForRex((body) => body === 'null'),
    'takes an empty array for an animal': takeForRex((body) => body === '[]'),
    'takes the first animal of an array for an animal': change.body(takeFirst),
    'takes a string for an animal': takeForRex((body) => body.startsWith('"')),
    'takes a number for an animal': takeForRex((body) => body === '1'),
    'takes an empty object for an animal where it is plain text': answerWith(
      (request) => isCreation(request) && request.headers['content-type'] === 'text/plain',
      createReply(201, { id: 700_000n, name: '', categoryId: 1n }),
    ),
    'refuses an empty body with 411': refuseWith(411, ({ body }) => body === ''),
  }),
  ...broken('create-pet/malformed', {
    'takes single quotes for an animal': takeForRex((body) => body.startsWith("{'")),
    'takes plain text for an animal': takeForRex((body) => body === 'Rex'),
    'refuses what is malformed with 415': refuseWith(415, isMalformed),
    ...forEach(Object.entries(lenient), ([what, [from, to]]) => [
      `takes JSON ${what}`,
      change.body((body) => (readJson(body) === undefined ? body.replace(from, to) : body)),
    ]),
  }),
  ...broken(
    [
      ...['name-required', 'category-required', 'name-type', 'category-type', 'status-value'],
      ...['body-required', 'malformed'],
    ].map((name) => `create-pet/${name}`),
    { 'refuses every bad body with 422': refuseWith(422, () => true) },
  ),
  ...brokenWith({ animals: 400 }, 'create-pet/refused-adds-nothing', {
    'keeps an animal that it refuses for its status without one, among many': addRefused((sent) =>
      sent.status === 'lost' ? drop('status')(sent) : sent,
    ),
    'keeps an animal that it refuses for its status, among many that are sold': addRefused(takeLost),
  }),
  ...broken('create-pet/refused-adds-nothing', {
    'adds an animal without a name although it refuses it': addRefused((sent) => ({ name: '', ...sent })),
    'adds an animal that it refuses for its name': addRefused(
      alter('name', (name) => (name === 1n ? '1' : name)),
    ),
    'adds an animal that it refuses for its large categoryId': addRefused(
      alter('categoryId', (id) => (typeof id === 'bigint' ? BigInt.asIntN(64, id) : null)),
    ),
    'adds an animal that it refuses for its missing categoryId': addRefused((sent) => ({
      categoryId: 1n,
      ...sent,
    })),
    'adds an animal that it refuses for its categoryId': addRefused(alter('categoryId', readDigits)),
    'adds an animal that it refuses for its status': addRefused(takeLost),
  }),
];
