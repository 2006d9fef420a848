import type { JsonObject } from '../../../common/json/exact-json.ts';
import { isInt64 } from '../../../common/json/int64.ts';
import type { Deployment } from '../deployment.ts';
import { createAnimals, type StorePolicy, statuses, stores } from './store-behaviour.ts';

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

const empty = { animals: [] };
const emptyWithCategory = { ...refuseUnknown(404), ...empty, target: { categoryId: 42n } };

const isOwn = ({ categoryId }: JsonObject) => categoryId !== 42n;

/** Conforming deployments that take what is not said about creations in their own way. */
export const creationDeployments: readonly Deployment[] = stores({
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
