import { type Choice, GAPS, type Given, refusing } from './choice.ts';

/** Returns whether an animal of the store has the category of a new one. */
const isKnown = ({ pet, world: { store } }: Given) =>
  store.all().some(({ categoryId }) => categoryId === pet.categoryId);

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
} as const satisfies Choice;
