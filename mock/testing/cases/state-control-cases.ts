import { expect } from 'vitest';
import { createEdgeCasePets } from '../../../fixtures/edge-case-pets.ts';
import type { Control } from '../../index.ts';
import { type ControlCase, plain } from './control-case.ts';

const edgeCases = createEdgeCasePets();

const change = ({ animals }: Control) => animals.replace([{ name: 'Rex', categoryId: 1 }]);

const started = { now: null, apiKeys: ['[key]'], limitPolicy: 'reject', order: 'newest' };
const day = '2030-12-05T00:00:00.000Z';

const stateCases: readonly ControlCase[] = [
  {
    title: 'a reset puts back the animals, the faults and the settings',
    before: (mock) => {
      change(mock);
      mock.configure({ now: day, order: 'random' });
      mock.faults.add({ status: 500 });
    },
    library: ({ reset }) => reset(),
    http: ['POST', '/reset'],
    check: ({ faults, settings }) => expect([faults.list(), settings()]).toEqual([[], started]),
  },
  {
    title: 'a snapshot changes no animals',
    library: ({ snapshot }) => snapshot('a'),
    http: ['PUT', '/snapshots/a'],
    check: ({ snapshots }) => expect(snapshots()).toEqual(['a']),
  },
  {
    title: 'the snapshots, without names that begin with a dot',
    before: ({ snapshot }) => {
      for (const name of ['b', '.c', 'a', 'b']) snapshot(name);
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
    animals: [{ id: 1n, name: 'Rex', categoryId: 1n }],
  },
  {
    title: 'restoring puts the animals back if nobody has changed them since another snapshot',
    before: (mock) => {
      mock.snapshot('before');
      change(mock);
      mock.snapshot('.after');
    },
    library: ({ restore }) => restore('before', { unchangedSince: '.after' }),
    http: ['POST', '/snapshots/before/restore?unchangedSince=.after'],
  },
  {
    title: 'restoring changes nothing if the animals have changed since another snapshot',
    before: (mock) => {
      mock.snapshot('.before');
      mock.snapshot('.after');
      change(mock);
    },
    library: ({ restore }) => restore('.before', { unchangedSince: '.after' }),
    http: ['POST', '/snapshots/.before/restore?unchangedSince=.after'],
    status: 400,
    mentions: ['The animals have changed since the snapshot .after.'],
    animals: [{ id: 1n, name: 'Rex', categoryId: 1n }],
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
    title: 'a snapshot is removed',
    before: ({ snapshot }) => {
      snapshot('a');
      snapshot('b');
    },
    library: ({ removeSnapshot }) => removeSnapshot('a'),
    http: ['DELETE', '/snapshots/a'],
    check: ({ snapshots }) => expect(snapshots()).toEqual(['b']),
  },
  {
    title: 'a snapshot that is not there cannot be removed',
    library: ({ removeSnapshot }) => removeSnapshot('c'),
    http: ['DELETE', '/snapshots/c'],
    status: 404,
    mentions: ['No snapshot is called "c"; there is none'],
  },
  {
    title: 'the profiles, with how many animals each has',
    library: ({ profiles }) => plain(profiles()),
    http: ['GET', '/profiles'],
    result: ['default 120', 'empty 0', `edge-cases ${edgeCases.length}`, 'large 100000'].map((line) => {
      const [name, animals] = line.split(' ');
      return { name, animals: BigInt(animals ?? ''), purpose: expect.any(String) };
    }),
  },
  {
    title: 'a profile takes the place of all animals',
    before: change,
    library: ({ fill }) => fill('edge-cases'),
    http: ['POST', '/profiles/edge-cases/fill'],
    animals: edgeCases,
  },
  {
    title: 'a profile that is not there is not found, and those that are there are named',
    library: ({ fill }) => fill('tiny'),
    http: ['POST', '/profiles/tiny/fill'],
    status: 404,
    mentions: ['No profile is called "tiny"; there is default, empty, edge-cases, large'],
  },
  {
    title: 'a name that a snapshot cannot have is refused',
    library: ({ snapshot }) => snapshot('a/b c'),
    http: ['PUT', '/snapshots/a%2Fb%20c'],
    status: 400,
    mentions: ['up to 64 letters, digits', 'not "a/b c"'],
  },
];

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
    result: { ...started, order: 'oldest', now: day },
    check: ({ settings }) => expect(plain(settings())).toEqual({ ...started, order: 'oldest', now: day }),
  },
  {
    title: 'changing all other settings',
    library: ({ configure }) => configure({ apiKeys: ['a', 'b'], limitPolicy: 'clamp', order: 'random' }),
    http: ['PATCH', '/settings', { apiKeys: ['a', 'b'], limitPolicy: 'clamp', order: 'random' }],
    result: expect.objectContaining({
      apiKeys: ['[key]', '[key]'],
      limitPolicy: 'clamp',
      order: 'random',
      now: null,
    }),
  },
  refusesSettings({ now: '2030-12-05T00:00' }, 'now must be an ISO 8601 date', 'or null'),
  refusesSettings({ order: 'name' }, 'order must be newest, oldest or random, not "name"'),
  refusesSettings({ limitPolicy: 1 }, 'limitPolicy must be reject or clamp, not 1'),
  refusesSettings({ port: 1 }, '"port" is not known; now, apiKeys, limitPolicy or order are'),
  refusesSettings({ apiKeys: [] }, 'apiKeys must be an array with at least one value, each printable ASCII'),
];

/** What changes the state as a whole, and the settings. */
export const stateControlCases: readonly ControlCase[] = [...stateCases, ...settingCases];
