// Hooks of Dredd for openapi.yaml. Dredd sends one request for each documented response. The hooks make the request deserve this
// response, and compare it with the schema of openapi.yaml: Dredd itself would compare it with a sample, and require a status.
//
// ANIMAL_STORE_URL is the base URL, by default that of `npm start`, and ANIMAL_STORE_API_KEY the key. Without ALLOW_WRITES=1 no POST
// request is sent, because animals cannot be deleted.
const { randomInt } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const hooks = require('hooks');
const { parse } = require('yaml');
const { keysOf } = require('../client/secrets.ts');
const { redact } = require('../../common/text/redact.ts');

const {
  ANIMAL_STORE_URL = 'http://127.0.0.1:4010/v1',
  ANIMAL_STORE_API_KEY = '',
  ALLOW_WRITES,
} = process.env;
const target = new URL(ANIMAL_STORE_URL);
const apiKey = ANIMAL_STORE_API_KEY.trim();
const keys = keysOf({ apiKey, headers: {} });
const allowsWrites = ALLOW_WRITES === '1';

/** The day on which GET /pets/{petId} is removed, in the earliest time zone. Source: specification, Versioning */
const REMOVAL = new Date('2030-12-05T00:00:00+14:00');

const UNKNOWN_ID = '8765432109876543210';
const name = `contract-test ${String(randomInt(10 ** 10)).padStart(10, '0')} Dredd`;

/** An animal of the first list: a deployment may know only some categories. The digits stay, since a double would round them. */
let existing = { id: undefined, categoryId: '1' };

const { paths, components } = parse(readFileSync(join(__dirname, '../../openapi.yaml'), 'utf8'));

/** Returns the JSON Schema of a documented response, with everything that it refers to. */
function schemaOf(operation, status) {
  const documented = operation.responses[status];
  const response = documented.$ref ? components.responses[documented.$ref.split('/').at(-1)] : documented;
  const { schema } = response.content['application/json'];
  const whole = { $schema: 'http://json-schema.org/draft-07/schema#', components, allOf: [schema] };
  // Dredd's validator does not know the formats of OpenAPI.
  return JSON.parse(JSON.stringify(whole, (key, value) => (key === 'format' ? undefined : value)));
}

const operations = new Map();
for (const [path, methods] of Object.entries(paths))
  for (const [method, operation] of Object.entries(methods))
    operations.set(`${method.toUpperCase()} ${path}`, operation);

/** The status that a transaction is about. A hook may accept another one. */
const statuses = new WeakMap();
const operationOf = ({ request, origin }) => operations.get(`${request.method} ${origin.resourceName}`);
const identify = (transaction) => `${operationOf(transaction).operationId} ${statuses.get(transaction)}`;

/** Requests another path below the base URL. */
function requestPath(transaction, uri) {
  const base = transaction.fullPath.slice(0, -transaction.request.uri.length);
  transaction.fullPath = `${base}${uri}`;
  transaction.request.uri = uri;
}

const newPet = () => `{"name":"${name}","categoryId":${existing.categoryId}}`;

const prepare = {
  'listPets 400': (transaction) => requestPath(transaction, '/pets?limit=0'),
  'createPet 201': ({ request }) => {
    request.body = newPet();
  },
  'createPet 400': ({ request }) => {
    request.body = '{}';
  },
  'createPet 401': ({ request }) => {
    request.body = newPet();
  },
  'getPet 200': (transaction) => {
    if (existing.id === undefined) transaction.skip = true;
    else requestPath(transaction, `/pets/${existing.id}`);
  },
  'getPet 404': (transaction) => requestPath(transaction, `/pets/${UNKNOWN_ID}`),
};

hooks.beforeAll((transactions) => {
  if (apiKey !== '') return;
  for (const transaction of transactions) transaction.skip = true;
  transactions[0].skip = false;
  transactions[0].fail = 'The API key is missing. Set ANIMAL_STORE_API_KEY.';
});

// The configuration of Dredd has a fixed address, and its command takes no other one next to a configuration.
hooks.beforeAll((transactions) => {
  hooks.log(`Dredd tests ${target.origin}${target.pathname}${allowsWrites ? '' : ', without POST'}`);
  const { protocol, hostname, port, pathname } = target;
  for (const transaction of transactions)
    Object.assign(transaction, {
      protocol,
      host: hostname,
      port,
      fullPath: `${pathname.replace(/\/$/, '')}${transaction.request.uri}`,
    });
});

hooks.beforeEach((transaction) => {
  const { request, expected } = transaction;
  statuses.set(transaction, expected.statusCode);
  if (request.method === 'POST' && !allowsWrites) transaction.skip = true;
  prepare[identify(transaction)]?.(transaction);
  if (expected.statusCode !== '401') request.headers.Authorization = `Bearer ${apiKey}`;
  delete expected.body;
  expected.bodySchema = schemaOf(operationOf(transaction), expected.statusCode);
});

hooks.beforeEachValidation((transaction) => {
  const { real, expected } = transaction;
  const id = identify(transaction);
  // Dredd compares a media type to the letter, and takes a body with U+FFFD for binary.
  const mediaType = real.headers['content-type'];
  if (mediaType !== undefined) real.headers['content-type'] = mediaType.split(';')[0].trim();
  if (real.bodyEncoding === 'base64') {
    real.body = Buffer.from(real.body, 'base64').toString();
    real.bodyEncoding = 'utf-8';
  }
  // A parser may ignore a byte order mark. Source: RFC 8259, section 8.1
  real.body = real.body?.replace(/^\uFEFF/, '');
  // The specification documents no 400 for a list: a deployment may refuse the limit with another 4xx, or list animals.
  if (id === 'listPets 400' && (real.statusCode === 200 || String(real.statusCode).startsWith('4'))) {
    expected.statusCode = String(real.statusCode);
    expected.bodySchema = schemaOf(operationOf(transaction), real.statusCode === 200 ? '200' : '400');
  }
  if (id === 'listPets 200' || id === 'createPet 201') readAnimal(real.body);
  skipIfRemoved(transaction, id);
});

/** Notes the first animal of a body, with the digits of its ids. */
function readAnimal(body) {
  try {
    const [first] = [
      JSON.parse(body, (_key, value, { source }) => (typeof value === 'number' ? source : value)),
    ].flat();
    existing = { id: existing.id ?? first?.id, categoryId: first?.categoryId ?? existing.categoryId };
  } catch {
    // Dredd reports what is wrong with the body.
  }
}

let isServed = false;

/** Services and gateways redirect or refuse what is gone, in many ways. */
const isGone = (status) =>
  (status >= 300 && status < 500 && status !== 401 && status !== 429) || status === 501;

/** Skips getPet once an animal that exists is not found after the day of the removal. */
function skipIfRemoved(transaction, id) {
  if (!id.startsWith('getPet ') || Date.now() < REMOVAL.getTime()) return;
  isServed ||= transaction.real.statusCode === 200;
  if (isServed || !isGone(transaction.real.statusCode)) return;
  transaction.skip = true;
  hooks.log('GET /pets/{petId} has been removed, as announced.');
}

hooks.afterEach(({ request, real, test }) => {
  // Dredd prints the request and the response of a failure.
  const toPrinted = (text) => redact(String(text), keys);
  for (const message of [request, real]) {
    if (message === undefined) continue;
    for (const [header, value] of Object.entries(message.headers)) message.headers[header] = toPrinted(value);
    message.body = message.body && toPrinted(message.body);
  }
  if (test !== undefined) test.message = toPrinted(test.message);
});
