import { expect } from 'vitest';
import { createEdgeCasePets } from '../../../fixtures/edge-case-pets.ts';
import { get, send } from '../../../testing/http-case.ts';
import { samplePets } from '../../../testing/start-test-mock.ts';
import type { Control, MockSession } from '../../index.ts';
import type { ControlCase } from './control-case.ts';
import { refusedCalls } from './refused-calls.ts';

const rex = { name: 'Rex', categoryId: 1 };
const storedRex = { name: 'Rex', categoryId: 1n };
const max = { id: 2n ** 63n - 1n, name: 'Max', categoryId: -(2n ** 63n - 1n), status: 'sold' };
const [first, second, ...others] = samplePets;
// The largest of the others is beyond 2^53.
const added = { id: 4n, ...storedRex };
const replaced = [
  { id: 8n, ...storedRex },
  { id: 7n, ...storedRex },
  { id: 9n, ...storedRex, status: 'pending' },
];

const animalCases: readonly ControlCase[] = [
  { title: 'all animals, in their order', call: ['GET', '/animals'], result: samplePets },
  { title: 'one animal', call: ['GET', `/animals/${second?.id}`], result: second },
  {
    title: 'adding an animal gives it the next id',
    call: ['POST', '/animals', rex],
    status: 201,
    result: added,
    animals: [...samplePets, added],
  },
  {
    title: 'adding an animal with an id and integers beyond 2^53',
    call: ['POST', '/animals', max],
    status: 201,
    result: max,
    animals: [...samplePets, max],
  },
  {
    title: 'setting an animal that is there keeps its place',
    call: ['PUT', `/animals/${first?.id}`, rex],
    result: { ...storedRex, id: first?.id },
    animals: [{ ...storedRex, id: first?.id }, second, ...others],
  },
  {
    title: 'setting an animal that is not there adds it',
    call: ['PUT', `/animals/${max.id}`, max],
    result: max,
    animals: [...samplePets, max],
  },
  {
    title: 'removing an animal leaves the others in their order',
    call: ['DELETE', `/animals/${second?.id}`],
    animals: [first, ...others],
  },
  {
    title: 'replacing all animals, some without an id',
    call: ['PUT', '/animals', [rex, { id: 7, ...rex }, { ...rex, status: 'pending' }]],
    result: replaced,
    animals: replaced,
  },
];

const down = { operation: 'listPets', status: 503, times: 2 } as const;
const stored = { operation: 'listPets', status: 503n, times: 2n };
const broken = { match: { query: { status: 'sold' } }, drop: true, probability: 0.5 } as const;
const full = {
  match: { operation: 'getPet', petId: '7', query: { limit: '1' }, headers: { 'X-Role': 'admin' } },
  probability: 0.5,
  delay: '50-200',
  response: { headers: { 'Retry-After': '30' }, body: { id: 2n ** 63n - 1n } },
};

function addFaults({ faults }: Control): void {
  for (const fault of [down, broken]) faults.add(fault);
}

const faultCases: readonly ControlCase[] = [
  {
    title: 'adding a fault',
    call: ['POST', '/faults', down],
    status: 201,
    result: { id: 1n, ...stored, used: 0n },
    check: ({ faults }) => expect(faults.list()).toEqual([{ id: 1, ...down, used: 0 }]),
  },
  {
    title: 'adding a fault with more members, and an integer that no double holds',
    call: ['POST', '/faults', full],
    status: 201,
    result: { id: 1n, ...full, used: 0n },
  },
  {
    title: 'the faults, in the order in which they were added',
    before: addFaults,
    call: ['GET', '/faults'],
    result: [
      { id: 1n, ...stored, used: 0n },
      { id: 2n, ...broken, used: 0n },
    ],
  },
  {
    title: 'clearing the faults',
    before: addFaults,
    call: ['DELETE', '/faults'],
    check: ({ faults }) => expect(faults.list()).toEqual([]),
  },
  {
    title: 'removing one fault',
    before: addFaults,
    call: ['DELETE', '/faults/1'],
    check: ({ faults }) => expect(faults.list()).toMatchObject([{ id: 2 }]),
  },
];

const replacement = [{ id: 1n, ...storedRex }];
const change = ({ animals }: Control) => animals.replace([rex]);
const started = { now: null, apiKeys: ['[key]'], limitPolicy: 'reject', order: 'newest' };
const now = '2030-12-05T00:00:00.000Z';
const edgeCases = createEdgeCasePets();

const stateCases: readonly ControlCase[] = [
  {
    title: 'a reset puts back the animals, the faults and the settings',
    before(mock) {
      change(mock);
      addFaults(mock);
      mock.configure({ now, order: 'random' });
    },
    call: ['POST', '/reset'],
    check: ({ faults, settings }) => expect([faults.list(), settings()]).toEqual([[], started]),
  },
  {
    title: 'a snapshot changes no animals',
    call: ['PUT', '/snapshots/a'],
    check: ({ snapshots }) => expect(snapshots()).toEqual(['a']),
  },
  {
    title: 'the snapshots, without names that begin with a dot',
    before: ({ snapshot }) => ['b', '.c', 'a', 'b'].forEach(snapshot),
    call: ['GET', '/snapshots'],
    result: ['b', 'a'],
  },
  {
    title: 'a snapshot is removed',
    before: ({ snapshot }) => ['a', 'b'].forEach(snapshot),
    call: ['DELETE', '/snapshots/a'],
    check: ({ snapshots }) => expect(snapshots()).toEqual(['b']),
  },
  {
    title: 'restoring puts the animals back as they were',
    before(mock) {
      change(mock);
      mock.snapshot('w-1.x_Y');
      mock.reset();
    },
    call: ['POST', '/snapshots/w-1.x_Y/restore'],
    animals: replacement,
  },
  {
    title: 'restoring puts the animals back if nobody has changed them since another snapshot',
    before(mock) {
      mock.snapshot('before');
      change(mock);
      mock.snapshot('.after');
    },
    call: ['POST', '/snapshots/before/restore?unchangedSince=.after'],
  },
  {
    title: 'restoring changes nothing if the animals have changed since another snapshot',
    before(mock) {
      ['.before', '.after'].forEach(mock.snapshot);
      change(mock);
    },
    call: ['POST', '/snapshots/.before/restore?unchangedSince=.after'],
    status: 400,
    mentions: ['The animals have changed since the snapshot .after.'],
    animals: replacement,
  },
  {
    title: 'the profiles, each with its number of animals',
    call: ['GET', '/profiles'],
    result: Object.entries({ default: 120, empty: 0, 'edge-cases': edgeCases.length, large: 100_000 }).map(
      ([name, animals]) => ({ name, animals: BigInt(animals), purpose: expect.any(String) }),
    ),
  },
  {
    title: 'a profile replaces all animals',
    before: change,
    call: ['POST', '/profiles/edge-cases/fill'],
    animals: edgeCases,
  },
  { title: 'the settings, without any key', call: ['GET', '/settings'], result: started },
  {
    title: 'changing one setting leaves the others',
    before: ({ configure }) => configure({ order: 'oldest' }),
    call: ['PATCH', '/settings', { now }],
    result: { ...started, order: 'oldest', now },
    check: ({ settings }) => expect(settings()).toMatchObject({ order: 'oldest', now: new Date(now) }),
  },
  {
    title: 'changing all other settings',
    call: ['PATCH', '/settings', { apiKeys: ['a', 'b'], limitPolicy: 'clamp', order: 'random' }],
    result: { now: null, apiKeys: ['[key]', '[key]'], limitPolicy: 'clamp', order: 'random' },
  },
];

/** Sends two requests, answered with 200 and 404. */
async function sendTwo({ url }: MockSession): Promise<void> {
  for (const path of ['/pets', '/pets/999']) await send(url, get(new URL(url).pathname + path));
}

const journalCases: readonly ControlCase[] = [
  { title: 'the requests, of which there are none', call: ['GET', '/requests'], result: [] },
  {
    title: 'the requests with a status',
    before: sendTwo,
    call: ['GET', '/requests?status=404'],
    result: [expect.objectContaining({ id: 2n, url: '/v1/pets/999' })],
  },
  {
    title: 'counting the requests',
    before: sendTwo,
    call: ['GET', '/requests/count?status=404&since=0'],
    result: { count: 1n },
  },
  {
    title: 'clearing the requests',
    before: sendTwo,
    call: ['DELETE', '/requests'],
    check: ({ requests, countRequests }) => expect([requests(), countRequests()]).toEqual([[], 0]),
  },
  {
    title: 'clearing the requests up to one',
    before: sendTwo,
    call: ['DELETE', '/requests?until=1'],
    check: ({ requests }) => expect(requests()).toMatchObject([{ id: 2 }]),
  },
];

/** Calls that drive a mock: each from code and over HTTP. */
export const controlCases: readonly ControlCase[] = [
  ...[...animalCases, ...faultCases, ...stateCases, ...journalCases],
  ...refusedCalls.map(([call, status, ...mentions]) => ({
    title: `${call.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ')} is refused`,
    ...{ call, status, mentions },
    check: ({ faults, snapshots }: Control) => expect([faults.list(), snapshots()]).toEqual([[], []]),
  })),
];
