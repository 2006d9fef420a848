import { type Choice, GAPS, type Given, integers, printCount, refusing } from './choice.ts';

/** Returns whether an animal of the store has the category of a new one. */
const isKnown = ({ pet, world: { store } }: Given) =>
  store.all().some(({ categoryId }) => categoryId === pet.categoryId);

/** A category above this one may be refused for its size. */
const LARGEST_CATEGORY = 2 ** 31 - 1;

export const categories = {
  about: 'Categories that an animal can have.',
  silentAt: GAPS,
  values: [
    { value: 'any', does: 'accepts any int64' },
    {
      value: 'positive',
      does: 'accepts positive ones',
      ...refusing('member categoryId', ({ pet }) => pet.categoryId < 1n && 'categoryId must be positive'),
    },
    {
      value: 'known',
      does: 'accepts categories that an animal has',
      ...refusing('member categoryId', (given) => {
        const isRefused = given.world.store.size > 0 && !isKnown(given);
        return isRefused && 'categoryId must be a category of another animal';
      }),
    },
  ],
  free: {
    ...integers(1, LARGEST_CATEGORY, 12, (most) => ({
      does: `accepts 1 to ${printCount(most)}`,
      ...refusing('member categoryId', (given) => {
        const { categoryId } = given.pet;
        // An animal of the start may have another category, which the store then has too.
        const isRefused = (categoryId < 1n || categoryId > most) && !isKnown(given);
        return isRefused && `categoryId must be from 1 to ${most}`;
      }),
    })),
    // Once animals have all the categories that a run sends and the deployment accepts.
    shownInstead: ['known'],
  },
} as const satisfies Choice<number>;
