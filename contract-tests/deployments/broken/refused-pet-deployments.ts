import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  printExactJson,
} from '../../../common/json/exact-json.ts';
import { answerOtherwise, answerWith, change, refuse } from '../changes.ts';
import type { CreateBehaviour, Deployment } from '../deployment.ts';
import { alter, drop, readJson } from '../members.ts';
import { createError, createReply } from '../replies.ts';
import { answered, type IsMeant, isCreation, isInChunks, isMalformed, sentBy } from '../requests.ts';
import { broken, brokenWith } from '../rows.ts';

/** Takes one value of a member for another one. */
function take(member: string, value: ExactJson, other: ExactJson) {
  return alter(member, (sent) => (sent === value ? other : sent));
}

function isObjectWith(value: ExactJson, member: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, member);
}

const takeLost = take('status', 'lost', 'sold');

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

const required = ['create-pet/name-required', 'create-pet/category-required'];
const types = ['create-pet/name-type', 'create-pet/category-type', 'create-pet/status-value'];

/** Deployments that take bodies which are to be refused, or refuse them in a wrong way. */
export const refusedPetDeployments: readonly Deployment[] = [
  ...broken('create-pet/name-required', {
    'adds an animal without a name': change.sent((sent) => ({ name: 'Rex', ...sent })),
    'refuses a body without a name with 422': refuseWith(
      422,
      (request) => !('name' in sentBy(request)) && 'categoryId' in sentBy(request),
    ),
    'is not full and refuses a body without a name with 403': refuseWith(
      403,
      (request) => !('name' in sentBy(request)) && 'categoryId' in sentBy(request),
    ),
  }),
  ...broken('create-pet/category-required', {
    'adds an animal without a categoryId': change.sent((sent) => ({ categoryId: 1n, ...sent })),
  }),
  ...broken('create-pet/name-type', {
    'adds an animal with null for a name': change.sent(take('name', null, '')),
    'adds an animal with false for a name': change.sent(take('name', false, '')),
    'takes an object that has a toString for a name': change.sent(
      alter('name', (name) => (isObjectWith(name, 'toString') ? 'Rex' : name)),
    ),
  }),
  ...broken('create-pet/category-type', {
    'adds an animal with a fraction for a categoryId': change.sent(take('categoryId', 1.5, 1n)),
    'adds an animal with a quarter for a categoryId': change.sent(take('categoryId', 1.25, 1n)),
    'takes an object that has a value for a categoryId': change.sent(
      alter('categoryId', (id) => (isObjectWith(id, 'valueOf') ? 1n : id)),
    ),
    'takes a categoryId beyond int64 that ends in .0': change.body((body) =>
      body.replace('9223372036854775808.0', '9223372036854775807'),
    ),
    'takes a categoryId with a very large exponent for the largest one': change.body((body) =>
      body.replace('1e100000000', '9223372036854775807'),
    ),
  }),
  ...broken('create-pet/status-value', {
    'adds an animal with an unknown status': change.sent(takeLost),
    'adds an animal that is reserved': change.sent(take('status', 'reserved', 'pending')),
    'adds an animal with false for a status': change.sent(take('status', false, 'available')),
    'adds an animal with 0 for a status': change.sent(take('status', 0n, 'available')),
    'looks for a status among the members of an object': change.sent(take('status', 'toString', 'available')),
    'refuses a bad status with 409': refuseWith(409, (request) =>
      ['name', 'categoryId', 'status'].every((member) => member in sentBy(request)),
    ),
  }),
  ...broken('create-pet/body-required', {
    'takes an empty body for an animal': change.body((body) => body || '{"name":"Rex","categoryId":1}'),
    'takes an empty object for an animal where it is plain text': answerWith(
      (request) => isCreation(request) && request.headers['content-type'] === 'text/plain',
      createReply(201, { id: 700_000n, name: '', categoryId: 1n }),
    ),
    'takes a body that is encoded twice': change.body((body) => {
      const inner = readJson(body);
      return typeof inner === 'string' ? inner : body;
    }),
    'refuses an empty body with 411': refuseWith(411, ({ body }) => body === ''),
  }),
  ...broken('advised/chunked-body', {
    'reads a body without a length as an empty one': refuse(isInChunks),
  }),
  ...broken('advised/strict-json', {
    'takes NaN where nobody reads it': change.body((body) => body.replace(/,"[^"]*":NaN/g, '')),
    'takes JSON with comments': change.body((body) => body.replace(/\/\*.*?\*\//g, '')),
  }),
  ...broken('create-pet/malformed', {
    'takes JSON with a comma too many': change.body((body) => body.replace(/,\}$/, '}')),
    'refuses what is malformed with 415': refuseWith(415, isMalformed),
  }),
  ...broken([...required, ...types, 'create-pet/body-required', 'create-pet/malformed'], {
    'refuses every bad body with 422': refuseWith(422, () => true),
  }),
  ...brokenWith({ animals: 400 }, 'create-pet/refused-adds-nothing', {
    'keeps an animal that it refuses for its status without one, among many': addRefused((sent) =>
      sent.status === 'lost' ? drop('status')(sent) : sent,
    ),
    'keeps an animal that it refuses for its status, among many that are sold': addRefused(takeLost),
  }),
  ...broken('create-pet/refused-adds-nothing', {
    'adds an animal without a name although it refuses it': addRefused((sent) => ({ name: '', ...sent })),
    'adds an animal that it refuses for its status': addRefused(takeLost),
  }),
];
