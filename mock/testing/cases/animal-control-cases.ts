import { samplePets } from '../../../testing/start-test-mock.ts';
import type { ControlCase } from './control-case.ts';

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

/** What changes the animals behind the API's back. */
export const animalControlCases: readonly ControlCase[] = [...animalCases, ...refusals];
