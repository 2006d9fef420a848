import { type ExactJson, type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import { answerOtherwise, answerWith, change } from '../changes.ts';
import type { CreateBehaviour, Deployment } from '../deployment.ts';
import { alter, type ChangeBody, drop, inObject, readJson } from '../members.ts';
import { createError, createReply } from '../replies.ts';
import { answered, type IsMeant, isCreation, isMalformed, sentBy } from '../requests.ts';
import { broken, brokenWith, firstOf } from '../rows.ts';

function take(member: string, value: ExactJson, other: ExactJson): ChangeBody {
  return inObject(alter(member, (sent) => (sent === value ? other : sent)));
}

function add(members: JsonObject): ChangeBody {
  return inObject((sent) => ({ ...members, ...sent }));
}

function takeForRex(isMeant: (body: string) => boolean): ChangeBody {
  return (body) => (isMeant(body) ? '{"name":"Rex","categoryId":1}' : body);
}

function takeFirst(body: string): string {
  const value = readJson(body);
  return Array.isArray(value) && value.length > 0 ? printExactJson(value[0]) : body;
}

function repair(from: string | RegExp, to: string): ChangeBody {
  return (body) => (readJson(body) === undefined ? body.replace(from, to) : body);
}

function readDigits(value: ExactJson): bigint {
  return BigInt(String(value).replaceAll(/\D+/g, '').slice(0, 15) || 1);
}

const takeLost = take('status', 'lost', 'sold');

/** What lenient deployments make of bodies that are to be refused, by the clause that tries them; see `firstOf`. */
export const lenient: Readonly<Record<string, Readonly<Record<string, ChangeBody>>>> = {
  'create-pet/name-required': {
    'adds an animal without a name': add({ name: 'Rex' }),
    'adds an animal with field names in another case': inObject(({ Name, ...sent }) =>
      Name === undefined ? sent : { name: Name, ...sent },
    ),
    'names an available animal that has no name': inObject((sent) =>
      sent.status === 'available' ? { name: 'Rex', ...sent } : sent,
    ),
  },
  'create-pet/category-required': { 'adds an animal without a categoryId': add({ categoryId: 1n }) },
  'create-pet/name-type': {
    'adds an animal with a number for a name': take('name', 1n, '1'),
    'adds an animal with null for a name': take('name', null, ''),
    'adds an animal with an array for a name': inObject(
      alter('name', (name) => (Array.isArray(name) ? String(name) : name)),
    ),
    'adds an animal with a boolean for a name': take('name', true, 'true'),
    'adds an animal with an object for a name': inObject(
      alter('name', (name) => (typeof name === 'object' && name !== null ? '[object Object]' : name)),
    ),
  },
  'create-pet/category-type': {
    'adds an animal with a fraction for a categoryId': take('categoryId', 1.5, 1n),
    'adds an animal with a categoryId beyond int64': inObject(
      alter('categoryId', (id) => (typeof id === 'bigint' ? BigInt.asIntN(64, id) : id)),
    ),
    'adds an animal with a string for a categoryId': take('categoryId', '1', 1n),
    'adds an animal with an empty string for a categoryId': take('categoryId', '', 0n),
    'adds an animal with null for a categoryId': take('categoryId', null, 0n),
    'adds an animal with a boolean for a categoryId': take('categoryId', true, 1n),
    'takes 400 digits for a categoryId': (body) => body.replace(/:(\d{100,})/, ':1'),
  },
  'create-pet/status-value': {
    'adds an animal with an unknown status': takeLost,
    'adds an animal with a status in another case': take('status', 'Available', 'available'),
    'adds an animal with a status of null': take('status', null, 'available'),
    'adds an animal with an empty status': take('status', '', 'sold'),
    'adds an animal with a status with a space': inObject(
      alter('status', (status) => (typeof status === 'string' ? status.trim() : status)),
    ),
    'adds an animal with a number for a status': take('status', 1n, 'sold'),
  },
  'create-pet/body-required': {
    'takes an empty body for an animal': takeForRex((body) => body === ''),
    'takes the first animal of an array for an animal': takeFirst,
    'takes a body of null for an animal': takeForRex((body) => body === 'null'),
    'takes an empty array for an animal': takeForRex((body) => body === '[]'),
    'takes a string for an animal': takeForRex((body) => body.startsWith('"')),
    'takes a number for an animal': takeForRex((body) => body === '1'),
  },
  'create-pet/malformed': {
    'takes plain text for an animal': takeForRex((body) => body === 'Rex'),
    'takes JSON with a comma too many': repair(',}', ',"categoryId":1}'),
    'takes single quotes for an animal': repair(/^.*'.*$/, '{"name":"Rex","categoryId":1}'),
    'takes JSON with NaN in it': repair('NaN', '0'),
    'takes JSON with comments in it': repair(/\/\*.*?\*\//, ''),
    'takes JSON with more behind it': repair(/\} Rex$/, '}'),
    'takes JSON of which there is more than one': repair(/\n\{.*/s, ''),
    'takes JSON with bare names in it': repair('{name', '{"name"'),
    'takes JSON with a zero before a number': repair(':01', ':1'),
    'takes JSON with a line break in a string': repair('R\nex', 'Rex'),
    'takes JSON with a brace too many': repair(/\}\}$/, '}'),
    'takes JSON with a brace too few': repair(/:(\d+)$/, ':$1}'),
  },
  'create-pet/refused-adds-nothing': {
    'adds an animal without a name although it refuses it': add({ name: '' }),
    'adds an animal that it refuses for its missing categoryId': add({ categoryId: 1n }),
    'adds an animal that it refuses for its status': takeLost,
    'adds an animal that it refuses for its name': take('name', 1n, '1'),
    'adds an animal that it refuses for its large categoryId': inObject(
      alter('categoryId', (id) => (typeof id === 'bigint' ? BigInt.asIntN(64, id) : null)),
    ),
    'adds an animal that it refuses for its categoryId': inObject(alter('categoryId', readDigits)),
  },
};

function refuseWith(status: number, isMeant: IsMeant): CreateBehaviour {
  return change.errorReply(
    () => createError(status),
    answered(400, (request) => isCreation(request) && isMeant(request)),
  );
}

function addRefused(toBody: ChangeBody): CreateBehaviour {
  return answerOtherwise(isCreation, async (request, asMock) => {
    const reply = await asMock(request);
    if (reply.status === 400 && Object.keys(sentBy(request)).length > 1) {
      await asMock({ ...request, body: toBody(request.body) });
    }
    return reply;
  });
}

const addsNothing = 'create-pet/refused-adds-nothing';
const refusals = Object.keys(lenient).filter((clause) => clause !== addsNothing);

/** Deployments that take bodies which are to be refused, or refuse them in a wrong way. */
export const refusedPetDeployments: readonly Deployment[] = [
  ...refusals.flatMap((clause) => broken(clause, firstOf(1, lenient[clause], change.body))),
  ...broken('create-pet/name-required', {
    'refuses a body without a name with 422': refuseWith(
      422,
      (request) => !('name' in sentBy(request)) && 'categoryId' in sentBy(request),
    ),
  }),
  ...broken('create-pet/status-value', {
    'refuses a bad status with 409': refuseWith(409, (request) =>
      ['name', 'categoryId', 'status'].every((member) => member in sentBy(request)),
    ),
  }),
  ...broken('create-pet/body-required', {
    'takes an empty object for an animal where it is plain text': answerWith(
      (request) => isCreation(request) && request.headers['content-type'] === 'text/plain',
      createReply(201, { id: 700_000n, name: '', categoryId: 1n }),
    ),
    'refuses an empty body with 411': refuseWith(411, ({ body }) => body === ''),
  }),
  ...broken('create-pet/malformed', { 'refuses what is malformed with 415': refuseWith(415, isMalformed) }),
  ...broken(refusals, { 'refuses every bad body with 422': refuseWith(422, () => true) }),
  ...brokenWith({ animals: 400 }, addsNothing, {
    'keeps an animal that it refuses for its status without one, among many': addRefused(
      inObject((sent) => (sent.status === 'lost' ? drop('status')(sent) : sent)),
    ),
    'keeps an animal that it refuses for its status, among many that are sold': addRefused(takeLost),
  }),
  ...broken(addsNothing, firstOf(2, lenient[addsNothing], addRefused)),
];
