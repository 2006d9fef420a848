import type { JsonObject } from '../../../common/exact-json.ts';
import { isInt64 } from '../../../common/int64.ts';
import type { Deployment } from '../deployment.ts';
import { createAnimals, type StorePolicy, statuses, stores } from './store-behaviour.ts';

const usual = { animals: createAnimals(45) };

/** Gives the newest animal of a status, or of none, another one before every so many requests. */
function changeNewest(from: string | undefined, to: string, each: number): StorePolicy {
  return {
    disturb: (animals, _, requests) => {
      const index = animals.findLastIndex(({ status }) => status === from);
      if (requests % each === 0 && index !== -1) animals[index] = { ...animals[index], status: to };
    },
  };
}

/** Sells the available animal at a place before every eighth request. */
function sellAt(place: number): StorePolicy {
  return {
    animals: createAnimals(290),
    disturb: (animals, _, requests) => {
      const sold = animals.filter(({ status }) => status === 'available')[place];
      if (requests % 8 !== 0 || sold === undefined) return;
      animals[animals.indexOf(sold)] = { ...sold, status: 'sold' };
    },
  };
}

/** Refuses the names that a pattern matches. */
function refuseNames(pattern: RegExp, status = 400): StorePolicy {
  return { refuse: ({ name }) => (typeof name === 'string' && pattern.test(name) ? status : undefined) };
}

/** Refuses what a test is true of. */
function refuseWhere(
  isRefused: (pet: JsonObject, animals: readonly JsonObject[]) => boolean,
  status = 400,
): StorePolicy {
  return { refuse: (pet, animals) => (isRefused(pet, animals) ? status : undefined) };
}

function isTaken({ name }: JsonObject, animals: readonly JsonObject[]): boolean {
  return animals.some((animal) => animal.name === name);
}

/** Refuses categories that no animal has, but for 42. */
function refuseUnknown(status: number): Readonly<Record<string, StorePolicy>> {
  const isUnknown = ({ categoryId }: JsonObject, animals: readonly JsonObject[]) =>
    categoryId !== 42n && !animals.some((animal) => animal.categoryId === categoryId);
  const policy = refuseWhere(isUnknown, status);
  const first = {
    ...refuseWhere((pet, animals) => isInt64(pet.categoryId) && isUnknown(pet, animals), status),
    refusesFirst: true,
  };
  return {
    [`refuses unknown categories with ${status}`]: policy,
    [`refuses unknown categories with ${status} and has no animals`]: { ...policy, animals: [] },
    [`looks for the category first and refuses unknown ones with ${status}`]: first,
    [`looks for the category first, refuses with ${status} and has no animals`]: { ...first, animals: [] },
  };
}

/** Conforming deployments that take what is not said about creations in their own way. */
export const creationDeployments: readonly Deployment[] = [
  ...[400, 404, 422].flatMap((status) => [
    ...stores(refuseUnknown(status), usual),
    ...stores(
      {
        [`refuses unknown categories with ${status} and has no animals, its category being told`]:
          refuseWhere(({ categoryId }) => categoryId !== 42n, status),
      },
      {},
      { target: { categoryId: 42n } },
    ),
  ]),
  ...[64, 30, 20].flatMap((length) =>
    [400, 422].flatMap((status) =>
      stores(
        {
          [`refuses names of more than ${length} characters with ${status}`]: refuseNames(
            new RegExp(`^.{${length + 1},}$`, 's'),
            status,
          ),
        },
        usual,
      ),
    ),
  ),
  ...statuses.flatMap((status) =>
    stores(
      {
        [`gives an animal the status ${status} where none was sent`]: {
          complete: (pet) => ({ status, ...pet }),
        },
      },
      usual,
    ),
  ),
  ...[403, 409].flatMap((status) =>
    stores(
      {
        [`is full and refuses every animal with ${status}`]: { refuse: () => status },
        [`takes no more animals of the categories that it has, and refuses them with ${status}`]: refuseWhere(
          ({ categoryId }) => categoryId !== 42n,
          status,
        ),
      },
      usual,
    ),
  ),
  ...[403, 410].flatMap((status) =>
    stores({
      [`has no animals, looks for the category first and refuses with ${status}`]: {
        ...refuseWhere(({ categoryId }) => isInt64(categoryId), status),
        refusesFirst: true,
      },
    }),
  ),
  ...stores(
    {
      'takes no more animals of the categories that it has, and is told of another': refuseWhere(
        ({ categoryId }) => categoryId !== 42n,
      ),
    },
    usual,
    { target: { categoryId: 42n } },
  ),
  ...stores(
    {
      'refuses names with markup': refuseNames(/[<>&]/),
      'refuses names with characters beyond the basic plane': refuseNames(/[\u{10000}-\u{10FFFF}]/u),
      'refuses names that are not ASCII': refuseNames(/[^ -~]/, 422),
      'refuses empty names and names with spaces at an end': refuseNames(/^$|^\s|\s$/),
      'refuses names with a hyphen or a digit': refuseNames(/[-\d]/),
      'refuses a name that is taken': refuseWhere(isTaken, 409),
      'refuses fields that it does not know': refuseWhere((pet) =>
        Object.keys(pet).some((key) => !['name', 'categoryId', 'status'].includes(key)),
      ),
      'refuses negative categories': refuseWhere(({ categoryId }) => Number(categoryId) < 0),
      'takes five animals and then no more': refuseWhere((_, animals) => animals.length >= 50, 403),
      'adds fields of its own to what is created': {
        complete: (pet) => ({ ...pet, createdAt: '2030-01-01T00:00:00Z', owner: null, weight: 1.5 }),
      },
      'wants names such as AB-1234': {
        ...refuseNames(/^(?![A-Z]{2}-\d{4}$)/),
        animals: createAnimals(40, (index) => ({ name: `XY-${1000 + index}` })),
      },
      'wants names of letters, of which no two are the same': refuseWhere(
        (pet, animals) => !/^[A-Za-z]{3,20}$/.test(String(pet.name)) || isTaken(pet, animals),
      ),
      'gives the newest animal without a status one, before every second request': changeNewest(
        undefined,
        'available',
        2,
      ),
      'makes the newest sold animal available, before every seventh request': changeNewest(
        'sold',
        'available',
        7,
      ),
      'makes the newest available animal pending, before every seventh request': changeNewest(
        'available',
        'pending',
        7,
      ),
      'makes the newest pending animal sold, before every seventh request': changeNewest(
        'pending',
        'sold',
        7,
      ),
      'sells available animal 0 before every eighth request': sellAt(0),
      'sells available animal 3 before every eighth request': sellAt(3),
      'has others adding an animal before every request': {
        disturb: (animals, takeId) => {
          const status = statuses[animals.length % 3] ?? 'sold';
          animals.unshift({ id: takeId(), name: 'Another', categoryId: 7n, status });
        },
      },
      'has others adding an animal anywhere in the list before every request': {
        animals: [],
        disturb: (animals, takeId) => {
          const place = Math.floor(Math.random() * animals.length);
          animals.splice(place, 0, { id: takeId(), name: 'Another', categoryId: 7n });
        },
      },
    },
    usual,
  ),
];
