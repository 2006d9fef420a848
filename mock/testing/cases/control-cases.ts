import { expect } from 'vitest';
import { type JsonObject, parseExactJson } from '../../../common/exact-json.ts';
import type { Control } from '../../index.ts';
import type { AdminCall } from '../send-admin.ts';
import { samplePets } from '../start-test-mock.ts';

/** Something done to a mock with the sample animals, from code and over HTTP alike. */
export interface ControlCase {
  readonly title: string;
  /** What is done before, from code. */
  readonly before?: (mock: Control) => unknown;
  readonly library: (mock: Control) => unknown;
  readonly http: AdminCall;
  /** What comes back. @default nothing, with 204 */
  readonly result?: unknown;
  /** The status of what comes back. @default 200 */
  readonly status?: number;
  /** Texts that the message of the error holds; its status is `status`. */
  readonly mentions?: readonly string[];
  /** The animals afterwards. @default the sample animals */
  readonly animals?: readonly unknown[];
}

const rex = { name: 'Rex', categoryId: 1 };
const storedRex = { name: 'Rex', categoryId: 1n };
const large = 2n ** 63n - 1n;
const [first, ...others] = samplePets;
const second = others[0];
const firstId = first?.id as bigint;
const secondId = second?.id as bigint;
// The largest of the others is beyond 2^53.
const next = 4n;

const animalCases: readonly ControlCase[] = [
  {
    title: 'all animals, in their order',
    library: ({ animals }) => animals.all(),
    http: ['GET', '/animals'],
    result: samplePets,
  },
  {
    title: 'one animal',
    library: ({ animals }) => animals.get(secondId),
    http: ['GET', `/animals/${secondId}`],
    result: second,
  },
  {
    title: 'adding an animal gives it the next id',
    library: ({ animals }) => animals.add(rex),
    http: ['POST', '/animals', rex],
    status: 201,
    result: { id: next, ...storedRex },
    animals: [...samplePets, { id: next, ...storedRex }],
  },
  {
    title: 'adding an animal with an id and integers beyond 2^53',
    library: ({ animals }) => animals.add({ id: large, name: 'Max', categoryId: -large, status: 'sold' }),
    http: ['POST', '/animals', { id: large, name: 'Max', categoryId: -large, status: 'sold' }],
    status: 201,
    result: { id: large, name: 'Max', categoryId: -large, status: 'sold' },
    animals: [...samplePets, { id: large, name: 'Max', categoryId: -large, status: 'sold' }],
  },
  {
    title: 'setting an animal that is there keeps its place',
    library: ({ animals }) => animals.set(firstId, rex),
    http: ['PUT', `/animals/${firstId}`, rex],
    result: { id: firstId, ...storedRex },
    animals: [{ id: firstId, ...storedRex }, ...others],
  },
  {
    title: 'setting an animal that is not there adds it',
    library: ({ animals }) => animals.set(large, { id: large, ...rex }),
    http: ['PUT', `/animals/${large}`, { id: large, ...rex }],
    result: { id: large, ...storedRex },
    animals: [...samplePets, { id: large, ...storedRex }],
  },
  {
    title: 'removing an animal leaves the others in their order',
    library: ({ animals }) => animals.remove(firstId),
    http: ['DELETE', `/animals/${firstId}`],
    animals: others,
  },
  {
    title: 'replacing all animals, some without an id',
    library: ({ animals }) => animals.replace([rex, { id: 7, ...rex }, { ...rex, status: 'pending' }]),
    http: ['PUT', '/animals', [rex, { id: 7, ...rex }, { ...rex, status: 'pending' }]],
    result: [
      { id: 8n, ...storedRex },
      { id: 7n, ...storedRex },
      { id: 9n, ...storedRex, status: 'pending' },
    ],
    animals: [
      { id: 8n, ...storedRex },
      { id: 7n, ...storedRex },
      { id: 9n, ...storedRex, status: 'pending' },
    ],
  },
];

const refusals: readonly ControlCase[] = [
  {
    title: 'an animal that is not there is not found',
    library: ({ animals }) => animals.get(999),
    http: ['GET', '/animals/999'],
    status: 404,
    mentions: ['No animal has the id 999'],
  },
  {
    title: 'an animal that is not there cannot be removed',
    library: ({ animals }) => animals.remove(999),
    http: ['DELETE', '/animals/999'],
    status: 404,
    mentions: ['No animal has the id 999'],
  },
  {
    title: 'what is no id is refused',
    library: ({ animals }) => animals.remove('abc' as unknown as number),
    http: ['DELETE', '/animals/abc'],
    status: 400,
    mentions: ['id must be an integer', 'not "abc"'],
  },
  {
    title: 'an animal whose fields are wrong is refused',
    library: ({ animals }) => animals.add({ name: 1, categoryId: 1.5 } as never),
    http: ['POST', '/animals', { name: 1, categoryId: 1.5 }],
    status: 400,
    mentions: ['name must be a string', 'categoryId must be an integer', 'not 1.5'],
  },
  {
    title: 'a field that no animal has is refused',
    library: ({ animals }) => animals.add({ ...rex, staus: 'sold' } as never),
    http: ['POST', '/animals', { ...rex, staus: 'sold' }],
    status: 400,
    mentions: ['only id, name, categoryId and status, not "staus"'],
  },
  {
    title: 'an id that is in use is refused',
    library: ({ animals }) => animals.add({ id: firstId, ...rex }),
    http: ['POST', '/animals', { id: firstId, ...rex }],
    status: 400,
    mentions: [`the id ${firstId} is there already`],
  },
  {
    title: 'an animal that names another id is refused',
    library: ({ animals }) => animals.set(firstId, { id: 999, ...rex }),
    http: ['PUT', `/animals/${firstId}`, { id: 999, ...rex }],
    status: 400,
    mentions: [`own id is 999, not ${firstId}`],
  },
  {
    title: 'what is no array of animals is refused',
    library: ({ animals }) => animals.replace(rex as never),
    http: ['PUT', '/animals', rex],
    status: 400,
    mentions: ['must be an array, not an object'],
  },
  {
    title: 'of an array the entry that is wrong is named, and nothing is replaced',
    library: ({ animals }) => animals.replace([rex, { name: 'Tom' } as never]),
    http: ['PUT', '/animals', [rex, { name: 'Tom' }]],
    status: 400,
    mentions: ['animals[1]: categoryId is missing'],
  },
  {
    title: 'two animals with one id are refused',
    library: ({ animals }) => animals.replace([{ id: 1, ...rex }, rex, { id: 1n, ...rex }]),
    http: ['PUT', '/animals', [{ id: 1, ...rex }, rex, { id: 1n, ...rex }]],
    status: 400,
    mentions: ['animals[0] and animals[2] have the same id, 1'],
  },
];

const change = ({ animals }: Control) => animals.replace([rex]);

const stateCases: readonly ControlCase[] = [
  {
    title: 'a reset puts the animals back',
    before: change,
    library: ({ reset }) => reset(),
    http: ['POST', '/reset'],
  },
  {
    title: 'a snapshot changes nothing',
    library: ({ snapshot }) => snapshot('a'),
    http: ['PUT', '/snapshots/a'],
  },
  {
    title: 'the snapshots, by name',
    before: ({ snapshot }) => {
      for (const name of ['b', 'a', 'b']) snapshot(name);
    },
    library: ({ snapshots }) => snapshots(),
    http: ['GET', '/snapshots'],
    result: ['b', 'a'],
  },
  {
    title: 'restoring puts the animals back as they were',
    before: (mock) => {
      change(mock);
      mock.snapshot('w-1.x_Y');
      mock.reset();
    },
    library: ({ restore }) => restore('w-1.x_Y'),
    http: ['POST', '/snapshots/w-1.x_Y/restore'],
    animals: [{ id: 1n, ...storedRex }],
  },
  {
    title: 'a snapshot that is not there is not found, and those that are there are named',
    before: ({ snapshot }) => {
      snapshot('a');
      snapshot('b');
    },
    library: ({ restore }) => restore('c'),
    http: ['POST', '/snapshots/c/restore'],
    status: 404,
    mentions: ['No snapshot is called "c"; there is a, b'],
  },
  {
    title: 'a name that a snapshot cannot have is refused',
    library: ({ snapshot }) => snapshot('a/b c'),
    http: ['PUT', '/snapshots/a%2Fb%20c'],
    status: 400,
    mentions: ['up to 64 letters, digits', 'not "a/b c"'],
  },
];

const down = { operation: 'listPets', status: 503, times: 2 } as const;
const broken = { path: '/v1/*', drop: 'EMPTY_RESPONSE', probability: 0.5 } as const;

function refusesFault(fault: object, ...mentions: string[]): ControlCase {
  return {
    title: `the fault ${JSON.stringify(fault)} is refused`,
    library: ({ faults }) => faults.add(fault),
    http: ['POST', '/faults', fault],
    status: 400,
    mentions,
  };
}

const faultCases: readonly ControlCase[] = [
  {
    title: 'adding a fault',
    library: ({ faults }) => plain(faults.add(down)),
    http: ['POST', '/faults', down],
    status: 201,
    result: { id: 1n, ...plain(down), used: 0n },
  },
  {
    title: 'the faults, in the order in which they were added',
    before: ({ faults }) => {
      faults.add(down);
      faults.add(broken);
    },
    library: ({ faults }) => plain(faults.list()),
    http: ['GET', '/faults'],
    result: plain([
      { id: 1, ...down, used: 0 },
      { id: 2, ...broken, used: 0 },
    ]),
  },
  {
    title: 'a reset removes the faults',
    before: ({ faults, reset }) => {
      faults.add(down);
      reset();
    },
    library: ({ faults }) => faults.list(),
    http: ['GET', '/faults'],
    result: [],
  },
  {
    title: 'clearing the faults',
    before: ({ faults }) => faults.add(down),
    library: ({ faults }) => faults.clear(),
    http: ['DELETE', '/faults'],
  },
  {
    title: 'removing one fault',
    before: ({ faults }) => faults.add(down),
    library: ({ faults }) => faults.remove(1),
    http: ['DELETE', '/faults/1'],
  },
  {
    title: 'a fault that is not there cannot be removed, and those that are there are named',
    before: ({ faults }) => faults.add(down),
    library: ({ faults }) => faults.remove(7),
    http: ['DELETE', '/faults/7'],
    status: 404,
    mentions: ['No fault has the id 7; there is 1.'],
  },
  {
    title: 'an id that no fault can have is told as it was given',
    library: ({ faults }) => faults.remove('abc' as never),
    http: ['DELETE', '/faults/abc'],
    status: 400,
    mentions: ['The id of a fault must be an integer, not "abc".'],
  },
  refusesFault({}, 'needs a status, a delay, a drop or a body'),
  refusesFault(
    { status: 200 },
    'has the status 200: without a body that breaks the contract it must be from 400',
  ),
  refusesFault({ status: 600 }, 'status must be an integer from 200 to 599, not 600'),
  refusesFault(
    { body: 'XML' },
    'body must be PET_WITHOUT_NAME, UNKNOWN_STATUS, HTML, TRUNCATED_JSON or EMPTY_BODY',
  ),
  refusesFault({ body: 'HTML', drop: 'EMPTY_RESPONSE' }, 'only one of them can end a request'),
  refusesFault({ status: 500, drop: 'EMPTY_RESPONSE' }, 'only one of them can end a request'),
  refusesFault(
    { staus: 500 },
    '"staus" is not known; operation, method, path, status, body, delay, drop, times or',
  ),
  refusesFault(
    { status: 500, operation: 'list' },
    'operation must be listPets, createPet, getPet or createM',
  ),
  refusesFault({ status: 500, path: 'v1/pets' }, 'path must be a path such as /v1/pets/7', 'not "v1/pets"'),
  refusesFault({ status: 500, path: '/pets' }, 'path must be a path such as /v1/pets/7', 'not "/pets"'),
  refusesFault({ status: 500, path: '/v1/pets/{petId}' }, 'not "/v1/pets/{petId}"'),
  refusesFault({ status: 500, path: '/v1/pets?limit=1' }, 'without a query'),
  refusesFault({ status: 500, method: 'FOO' }, 'method must be GET, HEAD, POST', 'not "FOO"'),
  refusesFault({ status: 500, times: 0 }, 'times must be an integer from 1', 'not 0'),
  refusesFault({ status: 500, probability: 1.5 }, 'probability must be a number from 0 to 1, not 1.5'),
  refusesFault({ delay: '200-50' }, 'delay must be milliseconds up to 600000', 'not "200-50"'),
  refusesFault({ delay: { median: 90 } }, 'or { median, sigma } for a log-normal one, not an object'),
  refusesFault({ drop: 'RESET' }, 'drop must be CONNECTION_RESET_BY_PEER, EMPTY_RESPONSE, MALFORMED_RES'),
];

function refusesFilter(filter: object, query: string, mention: string): ControlCase {
  return {
    title: `the filter ${query} of requests is refused`,
    library: ({ requests }) => requests(filter),
    http: ['GET', `/requests?${query}`],
    status: 400,
    mentions: [mention],
  };
}

const journalCases: readonly ControlCase[] = [
  {
    title: 'the requests, of which there are none',
    library: ({ requests }) => requests(),
    http: ['GET', '/requests'],
    result: [],
  },
  {
    title: 'clearing the requests',
    library: ({ clearRequests }) => clearRequests(),
    http: ['DELETE', '/requests'],
  },
  {
    title: 'counting the requests',
    library: ({ countRequests }) => ({ count: BigInt(countRequests({ status: 404, since: 0 })) }),
    http: ['GET', '/requests/count?status=404&since=0'],
    result: { count: 0n },
  },
  {
    title: 'the violations, where nobody looks for them',
    library: ({ violations }) => violations(),
    http: ['GET', '/violations'],
    status: 400,
    mentions: ['No checked proxy stands beside this mock', '--no-checked-proxy'],
  },
  {
    title: 'a filter of violations that is wrong is refused',
    library: ({ expectNoViolations }) => expectNoViolations({ severity: 'fatal' as never }),
    http: ['GET', '/violations?severity=fatal'],
    status: 400,
    mentions: ['severity must be error or warning, not "fatal"'],
  },
  {
    title: 'clearing the violations',
    library: ({ clearViolations }) => clearViolations(),
    http: ['DELETE', '/violations'],
  },
  refusesFilter({ operation: 'list' }, 'operation=list', 'operation must be listPets, createPet, getPet or'),
  refusesFilter({ status: 600 }, 'status=600', 'status must be a status from 100 to 599, not'),
  refusesFilter({ limit: 0 }, 'limit=0', 'limit must be an integer above 0, not'),
  refusesFilter({ since: 'now' }, 'since=now', 'since must be a Date, a time such as'),
  refusesFilter({ path: '/' }, 'path=/', '"path" is not known; operation, status, since or limit are'),
];

const started = { clock: 'running', apiKeys: ['[key]'], limitPolicy: 'reject', order: 'newest' };
const day = '2030-12-05T00:00:00.000Z';

function refusesSettings(changes: object, ...mentions: string[]): ControlCase {
  return {
    title: `the settings ${JSON.stringify(changes)} are refused`,
    library: ({ configure }) => configure(changes),
    http: ['PATCH', '/settings', changes],
    status: 400,
    mentions,
  };
}

const settingCases: readonly ControlCase[] = [
  {
    title: 'the settings, without any key',
    library: ({ settings }) => settings(),
    http: ['GET', '/settings'],
    result: expect.objectContaining(started),
  },
  {
    title: 'changing one setting leaves the others',
    before: ({ configure }) => configure({ order: 'oldest' }),
    library: ({ configure }) => plain(configure({ now: new Date(day) })),
    http: ['PATCH', '/settings', { now: day }],
    result: { ...started, order: 'oldest', now: day, clock: 'still' },
  },
  {
    title: 'changing all other settings',
    library: ({ configure }) => configure({ apiKeys: ['a', 'b'], limitPolicy: 'clamp', order: 'random' }),
    http: ['PATCH', '/settings', { apiKeys: ['a', 'b'], limitPolicy: 'clamp', order: 'random' }],
    result: expect.objectContaining({
      apiKeys: ['[key]', '[key]'],
      limitPolicy: 'clamp',
      order: 'random',
      clock: 'running',
    }),
  },
  {
    title: 'a reset puts the settings back',
    before: ({ configure, reset }) => {
      configure({ now: day, order: 'random' });
      reset();
    },
    library: ({ settings }) => settings(),
    http: ['GET', '/settings'],
    result: expect.objectContaining(started),
  },
  refusesSettings(
    { now: '2030-12-05T00:00' },
    'now must be an ISO 8601 date',
    'or null',
    'not "2030-12-05T00:00"',
  ),
  refusesSettings({ clock: 'fast' }, 'clock must be still or running, not "fast"'),
  refusesSettings({ order: 'name' }, 'order must be newest, oldest or random, not "name"'),
  refusesSettings({ limitPolicy: 1 }, 'limitPolicy must be reject or clamp, not 1'),
  refusesSettings({ port: 1 }, '"port" is not known; now, clock, apiKeys, limitPolicy or order are'),
  refusesSettings({ apiKeys: [] }, 'apiKeys must be an array of keys, each printable ASCII'),
];

/** The value as JSON gives it, every integer a bigint. */
function plain(value: unknown): JsonObject {
  return parseExactJson(JSON.stringify(value)) as JsonObject;
}

/** What drives a mock: each from code and over HTTP. */
export const controlCases: readonly ControlCase[] = [
  ...animalCases,
  ...refusals,
  ...stateCases,
  ...faultCases,
  ...journalCases,
  ...settingCases,
];
