import { type ExactJson, type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import {
  changeBody,
  changeErrorReply,
  changeReply,
  changeSent,
  createError,
  createReply,
  hasKey,
  isCreation,
  isMalformed,
  readJson,
  sentBy,
} from '../changes.ts';
import type { DeployedRequest, Deployment } from '../deployment.ts';

const rex = '{"name":"Rex","categoryId":1}';

/** Bodies that pass because a deployment takes them for something else. */
const repairs: Readonly<Record<string, [(sent: JsonObject) => JsonObject, string]>> = {
  'without a name': [(sent) => ({ name: 'Rex', ...sent }), 'name-required'],
  'with field names in another case': [
    (sent) => ({ ...('Name' in sent ? { name: sent.Name ?? '' } : {}), ...sent }),
    'name-required',
  ],
  'without a categoryId': [(sent) => ({ categoryId: 1n, ...sent }), 'category-required'],
  'with a number for a name': [
    change('name', (name) => (typeof name === 'bigint' ? String(name) : name)),
    'name-type',
  ],
  'with null for a name': [change('name', (name) => name ?? ''), 'name-type'],
  'with an array for a name': [
    change('name', (name) => (Array.isArray(name) ? String(name) : name)),
    'name-type',
  ],
  'with a boolean for a name': [change('name', (name) => (name === true ? 'true' : name)), 'name-type'],
  'with an object for a name': [
    change('name', (name) => (typeof name === 'object' && name !== null ? '[object Object]' : name)),
    'name-type',
  ],
  'with a string for a categoryId': [change('categoryId', (id) => (id === '1' ? 1n : id)), 'category-type'],
  'with an empty string for a categoryId': [
    change('categoryId', (id) => (id === '' ? 0n : id)),
    'category-type',
  ],
  'with null for a categoryId': [change('categoryId', (id) => id ?? 0n), 'category-type'],
  'with a boolean for a categoryId': [change('categoryId', (id) => (id === true ? 1n : id)), 'category-type'],
  'with a fraction for a categoryId': [change('categoryId', (id) => (id === 1.5 ? 1n : id)), 'category-type'],
  'with a categoryId beyond int64': [
    change('categoryId', (id) => (typeof id === 'bigint' ? BigInt.asIntN(64, id) : id)),
    'category-type',
  ],
  'with a status of null': [change('status', (status) => status ?? 'available'), 'status-value'],
  'with an unknown status': [
    change('status', (status) => (status === 'lost' ? 'sold' : status)),
    'status-value',
  ],
  'with an empty status': [change('status', (status) => status || 'sold'), 'status-value'],
  'with a status in another case': [
    change('status', (status) => (status === 'Available' ? 'available' : status)),
    'status-value',
  ],
  'with a status with a space': [
    change('status', (status) => (typeof status === 'string' ? status.trim() : status)),
    'status-value',
  ],
  'with a number for a status': [
    change('status', (status) => (status === 1n ? 'sold' : status)),
    'status-value',
  ],
};

/** What a lenient parser makes of what is no JSON. */
const lenient: Readonly<Record<string, (body: string) => string>> = {
  'with NaN in it': (body) => body.replace('NaN', '0'),
  'with comments in it': (body) => body.replace(/\/\*.*?\*\//, ''),
  'with more behind it': (body) => body.replace(/\} Rex$/, '}'),
  'of which there is more than one': (body) => body.split('\n{')[0] ?? '',
  'with bare names in it': (body) => body.replace('{name', '{"name"'),
  'with a zero before a number': (body) => body.replace(':01', ':1'),
  'with a line break in a string': (body) => body.replace('R\nex', 'Rex'),
};

function change(field: string, to: (value: ExactJson) => ExactJson): (sent: JsonObject) => JsonObject {
  return (sent) => (sent[field] === undefined ? sent : { ...sent, [field]: to(sent[field]) });
}

/** Bodies that pass though they are no object, or no JSON. */
const bodies: Readonly<Record<string, [(body: string) => string, string]>> = {
  'an empty body': [(body) => body || rex, 'body-required'],
  'a body of null': [(body) => (body === 'null' ? rex : body), 'body-required'],
  'an empty array': [(body) => (body === '[]' ? rex : body), 'body-required'],
  'the first animal of an array': [
    (body) => {
      const value = readJson(body);
      return Array.isArray(value) && value.length > 0 ? printExactJson(value[0]) : body;
    },
    'body-required',
  ],
  'a string': [(body) => (body.startsWith('"') ? rex : body), 'body-required'],
  'a number': [(body) => (body === '1' ? rex : body), 'body-required'],
  'a comma too many': [(body) => body.replace(',}', ',"categoryId":1}'), 'malformed'],
  'single quotes': [(body) => (body.startsWith("{'") ? rex : body), 'malformed'],
  'a brace too many': [(body) => body.replace(/\}\}$/, '}'), 'malformed'],
  'a brace too few': [(body) => (/:1$/.test(body) ? `${body}}` : body), 'malformed'],
  'plain text': [(body) => (body === 'Rex' ? rex : body), 'malformed'],
};

const everyRefusal = [
  'name-required',
  'category-required',
  'name-type',
  'category-type',
  'status-value',
  'body-required',
  'malformed',
].map((name) => `create-pet/${name}`);

/** Refuses with another status than 400. */
function refuseWith(status: number, isMeant: (request: DeployedRequest) => boolean) {
  return changeErrorReply(
    () => createError(status),
    (request, reply) => isCreation(request) && reply.status === 400 && isMeant(request),
  );
}

/** Deployments that take bodies which are to be refused, or refuse them in a wrong way. */
export const refusedPetDeployments: readonly Deployment[] = [
  ...Object.entries(repairs).map(([what, [repair, clause]]) => ({
    name: `adds an animal ${what}`,
    breaks: [`create-pet/${clause}`],
    createBehaviour: changeSent(repair),
  })),
  ...Object.entries(bodies).map(([what, [repair, clause]]) => ({
    name: `takes ${what} for an animal`,
    breaks: [`create-pet/${clause}`],
    createBehaviour: changeBody(repair),
  })),
  {
    name: 'refuses every bad body with 422',
    breaks: everyRefusal,
    createBehaviour: refuseWith(422, () => true),
  },
  {
    name: 'refuses a body without a name with 422',
    breaks: ['create-pet/name-required'],
    createBehaviour: refuseWith(
      422,
      (request) =>
        readJson(request.body) !== undefined &&
        !('name' in sentBy(request)) &&
        'categoryId' in sentBy(request),
    ),
  },
  {
    name: 'refuses a bad status with 409',
    breaks: ['create-pet/status-value'],
    createBehaviour: refuseWith(409, (request) =>
      ['name', 'categoryId', 'status'].every((field) => field in sentBy(request)),
    ),
  },
  {
    name: 'refuses what is malformed with 415',
    breaks: ['create-pet/malformed'],
    createBehaviour: refuseWith(415, isMalformed),
  },
  {
    name: 'refuses an empty body with 411',
    breaks: ['create-pet/body-required'],
    createBehaviour: refuseWith(411, ({ body }) => body === ''),
  },
  ...Object.entries(lenient).map(([what, repair]) => ({
    name: `takes JSON ${what}`,
    breaks: ['create-pet/malformed'],
    createBehaviour: changeBody((body) => (readJson(body) === undefined ? repair(body) : body)),
  })),
  {
    name: 'names an available animal that has no name',
    breaks: ['create-pet/name-required'],
    createBehaviour: changeSent((sent) => (sent.status === 'available' ? { name: 'Rex', ...sent } : sent)),
  },
  {
    name: 'takes an empty object for an animal where it is plain text',
    breaks: ['create-pet/body-required'],
    createBehaviour: changeReply(
      (request) => isCreation(request) && hasKey(request) && request.headers['content-type'] === 'text/plain',
      () => createReply(201, { id: 700_000n, name: '', categoryId: 1n }),
    ),
  },
  {
    name: 'takes 400 digits for a categoryId',
    breaks: ['create-pet/category-type'],
    createBehaviour: changeBody((body) => body.replace(/:(\d{100,})/, ':1')),
  },
];
