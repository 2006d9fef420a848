import type { JsonObject } from '../../../common/exact-json.ts';
import type { Deployment } from '../deployment.ts';
import { createAnimals } from './create-animals.ts';
import { createStoreBehaviour, isInt64, type StorePolicy } from './store-behaviour.ts';

const REFUSALS = [400, 404, 422];

/** Changes the status of the newest animal that has one status, or none, each so many requests. */
function changeNewest(
  from: string | undefined,
  to: string,
  each: number,
): NonNullable<StorePolicy['disturb']> {
  let requests = 0;
  return (animals) => {
    requests += 1;
    const index = animals.findLastIndex(({ status }) => status === from);
    if (requests % each === 0 && index !== -1) animals[index] = { ...animals[index], status: to };
  };
}

function createDeployment(name: string, policy: StorePolicy, target?: Deployment['target']): Deployment {
  const animals = createAnimals(45);
  return {
    name,
    breaks: [],
    createBehaviour: () => createStoreBehaviour({ animals, ...policy }),
    ...(target === undefined ? {} : { target }),
  };
}

/** A policy that refuses names. */
function refuseNames(isRefused: (name: string) => boolean, status = 400): StorePolicy {
  return { refuse: ({ name }) => (typeof name === 'string' && isRefused(name) ? status : undefined) };
}

function isUnknown({ categoryId }: JsonObject, animals: readonly JsonObject[]): boolean {
  return categoryId !== 42n && !animals.some((animal) => animal.categoryId === categoryId);
}

/** Lawful deployments that take what is not said about creations in their own way. */
export const creationDeployments: readonly Deployment[] = [
  ...REFUSALS.flatMap((status) => {
    const policy: StorePolicy = { refuse: (pet, all) => (isUnknown(pet, all) ? status : undefined) };
    const first: StorePolicy = {
      refuse: (pet, all) => (isInt64(pet.categoryId) && isUnknown(pet, all) ? status : undefined),
      refusesFirst: true,
    };
    return [
      createDeployment(`refuses unknown categories with ${status}`, policy),
      createDeployment(`refuses unknown categories with ${status} and has no animals`, {
        ...policy,
        animals: [],
      }),
      createDeployment(
        `refuses unknown categories with ${status} and has no animals, its category being told`,
        { ...policy, animals: [] },
        { categoryId: 42n },
      ),
      createDeployment(`looks for the category first and refuses unknown ones with ${status}`, first),
      createDeployment(`looks for the category first, refuses with ${status} and has no animals`, {
        ...first,
        animals: [],
      }),
    ];
  }),
  ...[64, 30, 20].flatMap((length) =>
    [400, 422].map((status) =>
      createDeployment(
        `refuses names of more than ${length} characters with ${status}`,
        refuseNames((name) => name.length > length, status),
      ),
    ),
  ),
  createDeployment(
    'refuses names with markup',
    refuseNames((name) => /[<>&]/.test(name)),
  ),
  createDeployment(
    'refuses names with characters beyond the basic plane',
    refuseNames((name) => /[\u{10000}-\u{10FFFF}]/u.test(name)),
  ),
  createDeployment(
    'refuses names that are not ASCII',
    refuseNames((name) => /[^ -~]/.test(name), 422),
  ),
  createDeployment(
    'refuses empty names and names with spaces at an end',
    refuseNames((name) => name.trim() !== name || name === ''),
  ),
  createDeployment(
    'refuses names with a hyphen or a digit',
    refuseNames((name) => /[-\d]/.test(name)),
  ),
  createDeployment('refuses a name that is taken', {
    refuse: ({ name }, animals) => (animals.some((animal) => animal.name === name) ? 409 : undefined),
  }),
  createDeployment('refuses fields that it does not know', {
    refuse: (pet) =>
      Object.keys(pet).some((key) => !['name', 'categoryId', 'status'].includes(key)) ? 400 : undefined,
  }),
  createDeployment('refuses negative categories', {
    refuse: ({ categoryId }) => (typeof categoryId === 'bigint' && categoryId < 0n ? 400 : undefined),
  }),
  createDeployment('takes five animals and then no more', {
    refuse: (_pet, animals) => (animals.length >= 50 ? 403 : undefined),
  }),
  ...['available', 'pending', 'sold'].map((status) =>
    createDeployment(`gives an animal the status ${status} where none was sent`, {
      complete: (pet) => ({ status, ...pet }),
    }),
  ),
  createDeployment('adds fields of its own to what is created', {
    complete: (pet) => ({ ...pet, createdAt: '2030-01-01T00:00:00Z', owner: null, weight: 1.5 }),
  }),
  createDeployment('gives the newest animal without a status one, before every second request', {
    disturb: changeNewest(undefined, 'available', 2),
  }),
  ...[
    ['sold', 'available'],
    ['available', 'pending'],
    ['pending', 'sold'],
  ].map(([from = '', to = '']) =>
    createDeployment(`makes the newest ${from} animal ${to}, before every seventh request`, {
      disturb: changeNewest(from, to, 7),
    }),
  ),
  ...[403, 409].map((status) =>
    createDeployment(`is full and refuses every animal with ${status}`, { refuse: () => status }),
  ),
  ...[403, 409].map((status) =>
    createDeployment(`takes no more animals of the categories that it has, and refuses them with ${status}`, {
      refuse: ({ categoryId }) => (categoryId === 42n ? undefined : status),
    }),
  ),
  createDeployment(
    'takes no more animals of the categories that it has, and is told of another',
    { refuse: ({ categoryId }) => (categoryId === 42n ? undefined : 400) },
    { categoryId: 42n },
  ),
  ...[403, 410].map((status) =>
    createDeployment(`has no animals, looks for the category first and refuses with ${status}`, {
      animals: [],
      refuse: (pet) => (isInt64(pet.categoryId) ? status : undefined),
      refusesFirst: true,
    }),
  ),
  createDeployment('wants names such as AB-1234', {
    animals: createAnimals(40, (index) => ({ name: `XY-${1000 + index}` })),
    refuse: ({ name }) => (/^[A-Z]{2}-\d{4}$/.test(String(name)) ? undefined : 400),
  }),
  createDeployment('wants names of letters, of which no two are the same', {
    refuse: ({ name }, animals) =>
      !/^[A-Za-z]{3,20}$/.test(String(name)) || animals.some((animal) => animal.name === name)
        ? 400
        : undefined,
  }),
  createDeployment('has others adding an animal before every request', {
    disturb: (animals, takeId) => {
      const status = ['available', 'pending', 'sold'][animals.length % 3] ?? 'sold';
      animals.unshift({ id: takeId(), name: 'Another', categoryId: 7n, status });
    },
  }),
  ...[0, 3].map((place) => {
    let requests = 0;
    return createDeployment(`sells available animal ${place} before every eighth request`, {
      animals: createAnimals(290),
      disturb: (animals) => {
        requests += 1;
        const free = animals.filter(({ status }) => status === 'available');
        const index = animals.indexOf(free[place] ?? {});
        if (requests % 8 === 0 && index !== -1) animals[index] = { ...animals[index], status: 'sold' };
      },
    });
  }),
  createDeployment('has others adding an animal anywhere in the list before every request', {
    animals: [],
    disturb: (animals, takeId) => {
      const place = Math.floor(Math.random() * animals.length);
      animals.splice(place, 0, { id: takeId(), name: 'Another', categoryId: 7n });
    },
  }),
];
