import { expect } from 'vitest';
import { createEdgeCasePets } from '../../../fixtures/edge-case-pets.ts';
import { get, send } from '../../../tools/testing/http-case.ts';
import { samplePets } from '../../../tools/testing/start-test-mock.ts';
import type { MockSession } from '../../index.ts';
import type { AdminCall } from '../send-admin.ts';

/** A call of a mock with the sample animals, from code and over HTTP. */
export interface ControlCase {
  readonly call: AdminCall;
  /** Is called first, from code. */
  readonly before?: (mock: MockSession) => unknown;
  /** The response, each integer a bigint. @default nothing, with 204 */
  readonly result?: unknown;
  /** @default 200 */
  readonly status?: number;
  /** Strings in the message of the Error. */
  readonly mentions?: readonly string[];
  /** Changes that the call makes. @default nothing */
  readonly after?: Readonly<Partial<ReturnType<typeof readState>>>;
  /** True if the mock refuses a call that fits the document. */
  readonly fitsDocument?: boolean;
  /** True if a call from code cannot be wrong in this way. */
  readonly isOnlyHttp?: true;
}

/** Returns everything that a call may change. */
export function readState({ animals, faults, snapshots, settings, requests }: MockSession) {
  const state = { animals: animals.all(), faults: faults.list(), snapshots: snapshots() };
  return { ...state, settings: settings(), requests: requests() } as Record<string, unknown>;
}

const rex = { name: 'Rex', categoryId: 1 };
const storedRex = { name: 'Rex', categoryId: 1n };
const max = { id: 2n ** 63n - 1n, name: 'Max', categoryId: -(2n ** 63n - 1n), status: 'sold' };
const [first, second, ...others] = samplePets;
const id = first?.id;
const set = { ...storedRex, id };
// The largest id of the others is beyond 2^53.
const added = { id: 4n, ...storedRex };
const allReplaced = [8n, 7n, 9n].map((id) => ({ id, ...storedRex }));
const replaced = { result: allReplaced, after: { animals: allReplaced } };
const maxAdded = { result: max, after: { animals: [...samplePets, max] } };

const animalCases: readonly ControlCase[] = [
  { call: ['GET', '/animals'], result: samplePets },
  { call: ['GET', `/animals/${second?.id}`], result: second },
  { call: ['POST', '/animals', rex], status: 201, result: added, after: { animals: [...samplePets, added] } },
  { call: ['POST', '/animals', max], status: 201, ...maxAdded },
  { call: ['PUT', `/animals/${max.id}`, max], ...maxAdded },
  { call: ['PUT', `/animals/${id}`, rex], result: set, after: { animals: [set, second, ...others] } },
  { call: ['DELETE', `/animals/${second?.id}`], after: { animals: [first, ...others] } },
  { call: ['PUT', '/animals', [rex, { id: 7, ...rex }, rex]], ...replaced },
];

const down = { operation: 'listPets', status: 503 } as const;
const broken = { match: { query: { status: 'sold' } }, drop: true, probability: 0.5 } as const;
const full = {
  operation: 'getPet',
  match: { petId: '7', query: { limit: '1' }, headers: { 'X-Role': 'admin' } },
  probability: 0.5,
  delay: '50-200',
  response: { headers: { 'Retry-After': '30' }, body: { id: 2n ** 63n - 1n } },
};
const effects = [
  { operation: 'listPets', delay: '20-30', truncate: true },
  { match: { petId: '7' }, after: 'drop' },
];
/** Faults whose numbers are as small or as large as they may be. */
const bounds = [
  { status: 400 },
  { status: 599 },
  { status: 200, response: { body: [] } },
  { delay: 600_000 },
  { delay: '0-600000' },
];
const addFaults = ({ faults }: MockSession) => [down, broken].map(faults.add);
const asResult = (id: bigint, fault: object) => ({ ...fault, id, used: 0n });
const toExact = (value: unknown) => (typeof value === 'number' ? BigInt(value) : value);
const bothFaults = [asResult(1n, { ...down, status: 503n }), asResult(2n, broken)];
const held = { operation: 'listPets', hold: true } as const;
const withHeld = { faults: [{ id: 1, ...held, used: 0, held: 0 }] };
const withFull = { faults: [{ id: 1, ...full, used: 0 }] };

const faultCases: readonly ControlCase[] = [
  { call: ['POST', '/faults', full], status: 201, result: asResult(1n, full), after: withFull },
  ...bounds.map((fault) => {
    const members = Object.entries(fault).map(([name, value]) => [name, toExact(value)]);
    const after = { faults: [{ id: 1, ...fault, used: 0 }] };
    const result = asResult(1n, Object.fromEntries(members));
    return { call: ['POST', '/faults', fault], status: 201, result, after } as const;
  }),
  ...effects.map((fault) => {
    const after = { faults: [{ id: 1, ...fault, used: 0 }] };
    return { call: ['POST', '/faults', fault], status: 201, result: asResult(1n, fault), after } as const;
  }),
  { before: addFaults, call: ['GET', '/faults'], result: bothFaults },
  {
    call: ['POST', '/faults', held],
    status: 201,
    result: asResult(1n, { ...held, held: 0n }),
    after: withHeld,
  },
  { before: ({ faults }) => faults.add(held), call: ['POST', '/faults/1/release'], after: { faults: [] } },
  { before: addFaults, call: ['DELETE', '/faults'], after: { faults: [] } },
  { before: addFaults, call: ['DELETE', '/faults/1'], after: { faults: [{ id: 2, ...broken, used: 0 }] } },
];

const started = { now: null, apiKeys: ['[key]'], behaviour: {} };
const now = '2030-12-05T00:00:00.000Z';
const changes = { apiKeys: ['[key]', '[key]'], behaviour: { order: 'random', duplicateMembers: 'first' } };
const changed = { result: { ...started, ...changes }, after: { settings: { ...started, ...changes } } };
const edgeCases = createEdgeCasePets();
const change = ({ animals }: MockSession) => animals.replace([rex]);
// Names that begin with a dot are not listed.
const takeSnapshots = ({ snapshot }: MockSession) => ['b', '.c', 'a', 'b'].map(snapshot);

const prepare = (mock: MockSession) => [addFaults(mock), mock.configure({ now }), mock.snapshot('a')];
const sizes = { default: 120n, empty: 0n, 'edge-cases': BigInt(edgeCases.length), large: 100_000n };
const purpose = expect.any(String);
const profiles = Object.entries(sizes).map(([name, animals]) => ({ name, animals, purpose }));

const stateCases: readonly ControlCase[] = [
  {
    before: async (mock) => [addFaults(mock), mock.configure({ now }), await mock.fill('empty')],
    call: ['POST', '/reset'],
    after: { animals: samplePets, faults: [], settings: started },
  },
  { call: ['PUT', '/snapshots/a'], after: { snapshots: ['a'] } },
  { before: takeSnapshots, call: ['GET', '/snapshots'], result: ['b', 'a'] },
  { before: takeSnapshots, call: ['DELETE', '/snapshots/a'], after: { snapshots: ['b'] } },
  {
    before: (mock) => [change(mock), mock.snapshot('w-1.x_Y'), mock.reset()],
    call: ['POST', '/snapshots/w-1.x_Y/restore'],
    after: { animals: [{ id: 1n, ...storedRex }] },
  },
  {
    // The store copies animals before it adds to a list that a snapshot has.
    before: ({ animals, snapshot }) => [
      ...[animals.replace(samplePets as never), snapshot('before'), animals.add(rex), snapshot('.after')],
    ],
    call: ['POST', '/snapshots/before/restore?unchangedSince=.after'],
    after: { animals: samplePets },
  },
  {
    before: (mock) => [mock.snapshot('.before'), mock.snapshot('.after'), change(mock)],
    call: ['POST', '/snapshots/.before/restore?unchangedSince=.after'],
    status: 400,
    mentions: ['The animals have changed since the snapshot .after.'],
    fitsDocument: true,
  },
  { call: ['GET', '/profiles'], result: profiles },
  { before: prepare, call: ['POST', '/profiles/edge-cases/fill'], after: { animals: edgeCases } },
  { call: ['GET', '/settings'], result: started },
  {
    before: ({ configure }) => configure({ behaviour: { order: 'oldest' } }),
    call: ['PATCH', '/settings', { now }],
    result: { ...started, behaviour: { order: 'oldest' }, now },
    after: { settings: { ...started, behaviour: { order: 'oldest' }, now: new Date(now) } },
  },
  { call: ['PATCH', '/settings', { ...changes, apiKeys: ['a', 'b'] }], ...changed },
];

/** Sends two requests, with the responses 200 and 404. */
async function before({ url }: MockSession): Promise<void> {
  for (const path of ['/pets', '/pets/999']) await send(url, get(new URL(url).pathname + path));
}

const notFound = expect.objectContaining({ url: '/v1/pets/999' });

const journalCases: readonly ControlCase[] = [
  { before, call: ['GET', '/requests?status=404'], result: [notFound] },
  { before, call: ['GET', '/requests?path=/v1/pets/999&method=get'], result: [notFound] },
  { before, call: ['GET', '/requests?query={"limit":"1"}'], result: [] },
  { before, call: ['GET', '/requests?body={"name":"Rex"}'], result: [] },
  { before, call: ['GET', '/requests/count?status=404&since=0'], result: { count: 1n } },
  { before, call: ['GET', '/requests/wait?operation=getPet'], result: notFound },
  { before, call: ['GET', '/responses/wait?status=404&timeout=0'], result: notFound },
  { before, call: ['DELETE', '/requests'], after: { requests: [] } },
  { before, call: ['DELETE', '/requests?until=1'], after: { requests: [notFound] } },
  { before, call: ['POST', '/reset'], after: { requests: [] } },
  { before, call: ['DELETE', '/violations?until=1'] },
];

type Refused = readonly [call: AdminCall, status: number, ...mentions: string[]];

const twice = [{ id: 1, ...rex }, rex, { id: 1, ...rex }];

const refused: readonly Refused[] = [
  [['GET', '/animals/999'], 404, 'No animal has the id 999'],
  [['DELETE', '/animals/abc'], 400, 'id must be a 64-bit integer', 'not "abc"'],
  [['POST', '/animals', { name: 1, categoryId: 1.5 }], 400, 'name must be a string', 'not 1.5'],
  [['POST', '/animals', { ...rex, staus: 'sold' }], 400, 'The animal has only id, name,', 'not "staus"'],
  [['PUT', '/animals', rex], 400, 'must be an array, not an object'],
  [['PUT', '/animals', [rex, { name: 'Tom' }]], 400, 'animals[1]: categoryId is required'],
  [['POST', '/snapshots/c/restore'], 404, 'No snapshot is called "c". Known: none'],
  [['PUT', '/snapshots/a%2Fb%20c'], 400, 'up to 64 letters, digits', 'not "a/b c"'],
  [['POST', '/profiles/tiny/fill'], 404, 'No profile is called "tiny". Known: default, empty, edge-cases'],
  [['DELETE', '/faults/7'], 404, 'No fault has the id 7.'],
  [['POST', '/faults/7/release'], 404, 'No fault has the id 7.'],
  [['DELETE', '/faults/abc'], 400, 'id must be the id of a fault, such as 1, not "abc".'],
  [['POST', '/faults/abc/release'], 400, 'id must be the id of a fault, such as 1, not "abc".'],
  [['GET', '/violations?severity=fatal'], 400, 'severity must be error or warning, not "fatal"'],
  [['PATCH', '/settings', { now: '2030-12-05T00:00' }], 400, 'now must be an ISO 8601 date, or a time with'],
  [['PATCH', '/settings', [1]], 400, 'The settings must be an object, not an array'],
  [['PATCH', '/settings', { port: 1 }], 400, '"port" is unknown. Known: now, apiKeys, behaviour'],
  [['PATCH', '/settings', { apiKeys: [] }], 400, 'apiKeys must be an array with at least one value'],
  [['DELETE', '/requests?until=now'], 400, 'until must be an id, not "now"'],
  [['GET', '/requests?operation=list'], 400, 'operation must be listPets, createPet, getPet or'],
  [['GET', '/requests?status=600'], 400, 'status must be a status from 100 to 599, not'],
  [['GET', '/requests/wait?timeout=600001'], 400, 'timeout must be milliseconds up to 600000, not'],
  [['GET', '/requests?limit=0'], 400, 'limit must be an integer above 0, not'],
  [['GET', '/requests?since=now'], 400, 'since must be an id'],
  [
    ['GET', '/requests?url=/'],
    400,
    '"url" is unknown. Known: operation, method, path, query, status, body, since',
  ],
  [['GET', '/requests?path=/v1/pets?limit=1'], 400, 'path must be a path without a query, such as /v1/pets'],
  [['GET', '/requests?method=G T'], 400, 'method must be a method, such as POST, not "G T"'],
  [['GET', '/requests?query={"limit":[1]}'], 400, 'query must be an object of exact values, such as'],
  [['GET', '/requests?body=[1]'], 400, 'body must be an object of members of the body, such as'],
  [['GET', '/requests/wait?limit=1'], 400, '"limit" is unknown.'],
];

/** Calls that are wrong only as text. From code, other members are ignored, because a hook gets a context. */
const refusedAsText: readonly Refused[] = [
  [['DELETE', '/requests?path=/'], 400, 'The query: "path" is unknown. Known: until.'],
  [['GET', '/requests?query=limit'], 400, 'query must be JSON, such as {"status":"sold"}, not "limit"'],
  [['POST', '/snapshots/a/restore?since=1'], 400, '"since" is unknown. Known: unchangedSince.'],
];

/** Calls that the document cannot refuse. */
const refusedByMock: readonly Refused[] = [
  [['POST', '/animals', { id: 1, ...rex }], 400, `the id ${id} exists already`],
  [['PUT', `/animals/${id}`, { id: 999, ...rex }], 400, `own id is 999, not ${id}`],
  [['GET', '/requests/wait?timeout=1'], 404, 'No request that matches {} arrived within 1 ms. There was no'],
  [['GET', '/responses/wait?timeout=1&status=200'], 404, 'got its response within 1 ms'],
  [['PUT', '/animals', twice], 400, 'animals[0] and animals[2] have the same id, 1'],
  [['GET', '/violations'], 400, 'This mock has no checked proxy', '--no-checked-proxy'],
  [['POST', '/faults/0x1/release'], 400, 'id must be the id of a fault, such as 1, not "0x1".'],
  [['POST', '/faults/1.0/release'], 400, 'id must be the id of a fault, such as 1, not "1.0".'],
  [['DELETE', '/faults/%201'], 400, 'id must be the id of a fault, such as 1, not " 1".'],
  [
    ['POST', '/faults', { response: { status: 204, body: 1 } }],
    400,
    'the status 204, whose response has no body',
  ],
  [['POST', '/faults', { status: 304, response: { body: 'x' } }], 400, "has no body. Give body: ''."],
  [['POST', '/faults', { delay: '200-50' }], 400, 'delay must be milliseconds up to 600000', 'not "200-50"'],
  [['POST', '/faults', { delay: '0-600001' }], 400, 'delay must be milliseconds up to', 'not "0-600001"'],
];

const refusedFaults: readonly (readonly [fault: object, mention: string])[] = [
  [{}, 'needs one of delay, hold, '],
  [{ response: { headers: { 'X-Y': '1' } } }, 'has a response or a message, and neither a status nor a body'],
  [{ response: {} }, 'has a response or a message, and neither a status nor a body'],
  [{ status: 200 }, 'has the status 200: without a body it must be from 400 to 599'],
  [{ status: 399 }, 'has the status 399: without a body it must be from 400 to 599'],
  [{ response: { status: 99 } }, "The fault's response: status must be an integer from 200 to 599"],
  [{ status: 199, response: { body: [] } }, 'status must be an integer from 200 to 599, not 199'],
  [{ status: 600 }, 'status must be an integer from 200 to 599, not 600'],
  [{ status: 500, message: true }, 'message must be a string, not true'],
  [{ status: 500, drop: true }, 'has status and drop: only one of them can end a request'],
  [{ status: 500, response: { status: 404 } }, 'has status and response.status. Give one of them'],
  [
    { status: 500, message: 'a', response: { message: 'b' } },
    'has message and response.message. Give one of them',
  ],
  [{ truncate: true, after: 'drop' }, 'has truncate and after: only one of them can end a request'],
  [
    { operation: 'listPets', match: { petId: 7 }, status: 500 },
    'has match.petId, and the operation listPets has no id in its path',
  ],
  [{ delay: 1, hold: true }, 'has delay and hold: only one of them can make a request wait'],
  [{ hold: false }, 'hold must be true, not false'],
  [
    { delay: -1 },
    'delay must be milliseconds up to 600000, such as 200, or 50-200 for any from 50 to 200, not -1',
  ],
  [{ delay: 600_001 }, 'not 600001'],
  [{ delay: '-5' }, 'not "-5"'],
  [{ delay: '5 ms' }, 'not "5 ms"'],
  [{ after: 'truncate' }, 'after must be "drop", not "truncate"'],
  [{ drop: true, message: 'x' }, 'has a response or a message, and neither a status nor a body'],
  [{ response: { body: 1 }, drop: true }, 'has response and drop: only one of them can end a request'],
  [{ path: '/v1/pets', status: 500 }, 'The fault has no path. Give operation instead.'],
  [{ status: 400, body: {} }, 'The fault has no body. Give response.body instead.'],
  [{ status: 400, headers: {} }, 'The fault has no headers. Give match.headers or response.headers instead.'],
  [{ staus: 500 }, '"staus" is unknown. Did you mean status?'],
  [{ status: 500, operation: 'list' }, 'The fault: operation must be listPets'],
  [{ status: 500, match: { operation: 'listPets' } }, 'The fault\'s match: "operation" is unknown'],
  [{ status: 500, match: { petId: 1.5 } }, 'petId must be an id, such as 7 or "7", not 1.5'],
  [{ status: 500, match: { query: { status: ['sold'] } } }, 'query must be an object of exact values'],
  [
    { status: 503, response: { headers: { 'Content-Length': 1 } } },
    'for the framing, not one with the name "Content-Length"',
  ],
  [{ status: 503, response: { headers: { 'X-Y': 'a\nb' } } }, 'not one with this value of "X-Y".'],
  [{ status: 500, probability: 1.5 }, 'probability must be a number from 0 to 1, such as 0.05, not 1.5'],
];

const toCase = ([call, status, ...mentions]: Refused) => ({ call, status, mentions });

/** Calls that drive a mock: each from code and over HTTP. */
export const controlCases: readonly ControlCase[] = [
  ...[...animalCases, ...faultCases, ...stateCases, ...journalCases],
  ...refused.map(toCase),
  ...refusedFaults.map(([fault, mention]) => toCase([['POST', '/faults', fault], 400, mention])),
  ...refusedAsText.map((row) => ({ ...toCase(row), isOnlyHttp: true as const })),
  ...refusedByMock.map((row) => ({ ...toCase(row), fitsDocument: true })),
];
