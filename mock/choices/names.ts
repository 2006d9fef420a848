import { ApiError } from '../../common/http/api-error.ts';
import { type Choice, type Effect, GAPS, integers, listed, printCount, refusing } from './choice.ts';

const accepts = (most: number): Effect => ({
  does: `accepts ${printCount(most)}`,
  ...refusing(
    'member name',
    ({ pet: { name } }) =>
      name.length > most && `name must have at most ${most} characters, not ${name.length}`,
  ),
});

/** A body of 1 MiB has no longer name, in characters. */
const LONGEST_NAME = 1_000_000;

export const longestName = {
  about: 'Maximum length of a name, in characters.',
  silentAt: GAPS,
  values: [{ value: 'any', does: 'has none' }, ...[1000, 255, 40].map(listed(accepts))],
  free: integers(1, LONGEST_NAME, 100, accepts),
} as const satisfies Choice<number>;

const requires = (least: number): Effect => ({
  does: `requires ${least}`,
  ...refusing(
    'member name',
    ({ pet: { name } }) =>
      name !== '' && name.length < least && `name must have at least ${least} characters, not ${name.length}`,
  ),
});

export const shortestName = {
  about: 'Minimum length of a name that is not empty, in characters.',
  silentAt: GAPS,
  values: [{ value: 1, does: 'accepts one' }, ...[2, 3].map(listed(requires))],
} as const satisfies Choice;

const PLAIN = /^[\p{L}\p{N} .'-]*$/u;

export const nameCharacters = {
  about: 'Characters of names.',
  silentAt: GAPS,
  values: [
    { value: 'any', does: 'accepts any' },
    {
      value: 'plain',
      does: 'accepts letters, digits, spaces, dots, apostrophes and hyphens',
      ...refusing(
        'member name',
        ({ pet }) => !PLAIN.test(pet.name) && "name must have only letters, digits, spaces and . ' -",
      ),
    },
  ],
} as const satisfies Choice;

export const emptyNames = {
  about: 'An empty name.',
  silentAt: GAPS,
  values: [
    { value: 'accepted', does: 'accepts it' },
    {
      value: 'refused',
      does: 'refuses it with 400',
      ...refusing('member name', ({ pet }) => pet.name === '' && 'name must not be empty'),
    },
    {
      value: 'blank',
      does: 'refuses it, and one of spaces only, with 400',
      ...refusing(
        'member name',
        ({ pet: { name } }) => name.trim() === '' && `name must not be ${(name && 'spaces only') || 'empty'}`,
      ),
    },
  ],
} as const satisfies Choice;

const TAKEN = 'name must be one that no other animal has';

/** @param toCompared returns the part of a name that has to be unique */
const unique = (status: 400 | 409, toCompared = (name: string) => name) =>
  refusing('member name', ({ pet, world: { store } }) => {
    const name = toCompared(pet.name);
    const isTaken = store.all().some((other) => toCompared(other.name) === name);
    if (!isTaken) return false;
    return status === 400 ? TAKEN : new ApiError('name_taken', `${TAKEN}.`);
  });

const toLower = (name: string) => name.toLowerCase();

export const uniqueNames = {
  about: 'A name that another animal has.',
  silentAt: GAPS,
  values: [
    { value: 'no', does: 'accepts it' },
    { value: 'required', does: 'refuses it with 400', ...unique(400) },
    { value: 'ignoringCase', does: 'refuses it in any case with 400', ...unique(400, toLower) },
    { value: 'conflict', does: 'refuses it with 409', ...unique(409) },
    { value: 'conflictIgnoringCase', does: 'refuses it in any case with 409', ...unique(409, toLower) },
  ],
} as const satisfies Choice;
