import type { JsonObject } from '../../../common/json/exact-json.ts';
import { isInt64 } from '../../../common/json/int64.ts';
import type { Deployment } from '../deployment.ts';
import { drop } from '../values.ts';
import { createAnimals, cutBytes, type StorePolicy, statuses, stores } from './store-behaviour.ts';

/** Spreads small integers over all of int64, each to another one. */
function spread(integer: number | bigint): bigint {
  return BigInt.asIntN(64, (BigInt(integer) + 1n) * 0x9e3779b97f4a7c15n);
}

const strange = [
  ...['', 'x'.repeat(5000), '\u0000\ud800"\\/', '__proto__'],
  ...['name', 'categoryId', 'status', 'sold', 'lost', '1'],
];

const largest = 2n ** 63n - 1n;
const categories = [0n, -1n, largest, -largest - 1n];

const one = { animals: createAnimals(1, () => ({ id: 0n })) };
const three = { animals: createAnimals(3) };
const many = { animals: createAnimals(130) };
const named = (toName: (index: number) => string | undefined) => ({
  animals: createAnimals(50, (index) => ({ name: toName(index) ?? '' })),
});
const allSold = { animals: createAnimals(60, () => ({ status: 'sold' })) };

type IsRefused = (pet: JsonObject, animals: readonly JsonObject[]) => boolean;

function refuseWhere(isRefused: IsRefused, status = 400): StorePolicy {
  return { refuse: (pet, animals) => (isRefused(pet, animals) ? status : undefined) };
}

function refuseNames(pattern: RegExp, status = 400): StorePolicy {
  return refuseWhere(({ name }) => typeof name === 'string' && pattern.test(name), status);
}

const isKnown: IsRefused = ({ categoryId }, animals) =>
  categoryId === 42n || animals.some((animal) => animal.categoryId === categoryId);

const refuseUnknown = (status: number) => refuseWhere((pet, animals) => !isKnown(pet, animals), status);

/** Names of many lengths, so that pages of as many bytes have other numbers of animals. */
const ofManyLengths = named((index) => 'x'.repeat((index * 37) % 300));

const empty = { animals: [] };
const emptyWithCategory = { ...refuseUnknown(404), ...empty, target: { categoryId: 42n } };

const isOwn = ({ categoryId }: JsonObject) => categoryId !== 42n;

/** Conforming deployments that differ in their animals and ids, and take invalid requests and creations in their own way. */
export const storeDeployments: readonly Deployment[] = stores({
  'has 20 animals': { animals: createAnimals(20) },
  'has 5000 animals': { animals: createAnimals(5000) },
  'has 300 animals without a status': { animals: createAnimals(300).map(drop('status')) },
  'has animals of an earlier run': named((index) => `contract-test refused ${index}`),
  'has names that are empty, long, strange or names of fields': named((i) => strange[i % strange.length]),
  'has one sold animal among 300': {
    animals: createAnimals(300, (index) => ({ status: index === 299 ? 'sold' : 'available' })),
  },
  'gives the largest int64 as its first id, then counts down': { ...three, toId: (added) => largest - added },
  'counts its new ids down from -1, and lists the oldest of 150 animals': {
    animals: createAnimals(150),
    toId: (added) => -1n - added,
  },
  'counts its new ids down from -1, and lists the oldest seven of its animals': {
    ...many,
    pageSize: 7,
    toId: (added) => -1n - added,
  },
  'begins its ids with 0': { ...one, toId: (added) => 2n * added + 1n },
  'gives ids from anywhere in int64, and has categories of any int64': {
    animals: createAnimals(150, (index) => ({ id: spread(index), categoryId: categories[index % 4] ?? 0n })),
    toId: (added) => spread(1_000n + added),
  },
  'refuses an invalid query, and an id that is not an integer, with 404': { ...many, refusal: 404 },
  'takes an invalid limit for 100, and a status in any case': {
    ...many,
    readInvalidLimit: () => 100,
    readInvalidStatus: (value) => statuses.filter((status) => status === value.toLowerCase()),
  },
  'lists nothing for an invalid limit': { ...many, readInvalidLimit: () => 0 },
  'lists 20 of its animals by their last update, and sells one now and then': {
    // However many requests a run sends, more than a page of them stays available, and new ones come after it.
    animals: createAnimals(300),
    pageSize: 20,
    disturb: (animals, _, requests) => {
      const index = requests % 60 === 0 ? animals.findIndex(({ status }) => status === 'available') : -1;
      const [sold] = index === -1 ? [] : animals.splice(index, 1);
      if (sold !== undefined) animals.push({ ...sold, status: 'sold' });
    },
  },
  'lists no more than 19 of its animals, which are all sold': { ...allSold, pageSize: 19 },
  'lists as many animals as have room in 4 kB': { ...ofManyLengths, cut: (list) => cutBytes(list, 4_000) },
  'lists its newest ten animals, the oldest of them first': {
    pageSize: 10,
    disturb: (animals) => animals.sort((one, other) => Number(other.id) - Number(one.id)),
    cut: (list) => list.toReversed(),
  },
  'lists five of its animals, in another order each time': {
    pageSize: 5,
    disturb: (animals, _, requests) => {
      const moved = animals.splice(0, 1 + ((requests * 7919) % 11));
      animals.push(...moved);
    },
  },
  'has an owner who removes the oldest animal now and then': {
    animals: createAnimals(60),
    disturb: (animals, _, requests) => {
      if (requests % 40 === 0) animals.shift();
    },
  },
  'has an owner who removes ten animals at once': {
    animals: createAnimals(60),
    disturb: (animals, _, requests) => {
      if (requests === 400) animals.splice(5, 10);
    },
  },
  'refuses a member that NewPet does not have': refuseWhere((pet) =>
    Object.keys(pet).some((name) => !['name', 'categoryId', 'status'].includes(name)),
  ),
  'refuses names with an address, a row of digits, or half of a surrogate pair': refuseWhere(
    ({ name }) => typeof name === 'string' && (/@|:\/\/|\d{4} \d{4}/.test(name) || !name.isWellFormed()),
  ),
  'refuses control characters and what is no character in names with 422': refuseNames(
    /[\p{Cc}\ufffe]/u,
    422,
  ),
  'keeps U+FFFD for half of a surrogate pair': { keepName: (name) => name.toWellFormed() },
  'keeps ? for half of a surrogate pair': { keepName: (name) => name.replaceAll(/\p{Cs}/gu, '?') },
  'refuses unknown categories with 422': refuseUnknown(422),
  'refuses unknown categories with 422 and has no animals': { ...refuseUnknown(422), ...empty },
  'has no animals and refuses unknown categories, with its own in --category-id': emptyWithCategory,
  'looks for the category first and refuses unknown ones with 404': {
    ...refuseWhere((pet, animals) => isInt64(pet.categoryId) && !isKnown(pet, animals), 404),
    refusesFirst: true,
  },
  'takes no more animals of the categories that it has, and refuses them with 409': refuseWhere(isOwn, 409),
  'is full and refuses every animal with 402': { refuse: () => 402 },
  'takes five animals, and then refuses everything with 403': {
    ...refuseWhere((_, animals) => animals.length >= 50, 403),
    refusesFirst: true,
  },
  'refuses names that are empty or have markup or spaces at an end': refuseNames(/^$|[<>&]|^\s|\s$/),
  'refuses names that are not ASCII': refuseNames(/[^ -~]/, 422),
  'refuses names with a hyphen or a digit': refuseNames(/[-\d]/),
  'refuses names with "test" in any case': refuseNames(/test/i),
  'takes no names but those of its animals': refuseWhere(
    ({ name }) => !createAnimals(45).some((animal) => animal.name === name),
  ),
  'wants names such as AB-1234': {
    ...refuseNames(/^(?![A-Z]{2}-\d{4}$)/),
    animals: createAnimals(40, (index) => ({ name: `XY-${1000 + index}` })),
  },
  'wants names of letters, of which no two are the same': refuseWhere(
    ({ name }, animals) =>
      (typeof name === 'string' && !/^[A-Za-z]{3,20}$/.test(name)) ||
      animals.some((pet) => pet.name === name),
  ),
  'gives the newest animal the next status, before every request': {
    disturb: (animals) => {
      const newest = animals.pop();
      const next = statuses[(statuses.indexOf(String(newest?.status)) + 1) % 3] ?? '';
      if (newest !== undefined) animals.push({ ...newest, status: next });
    },
  },
  'has others adding an animal anywhere in the list before every request': {
    animals: [],
    disturb: (animals, takeId, requests) => {
      const place = (requests * 7919) % (animals.length + 1);
      animals.splice(place, 0, { id: takeId(), name: 'Another', categoryId: 7n });
    },
  },
});
