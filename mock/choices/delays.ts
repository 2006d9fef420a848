import { ApiError } from '../../common/http/api-error.ts';
import type { Pet } from '../../common/json/pet.ts';
import { filter } from '../service/answer.ts';
import type { World } from '../service/types.ts';
import { type Choice, type Effect, GET, integers, LIST, listed, printCount } from './choice.ts';

/** A client rarely waits longer, in ms. */
const LONGEST_DELAY = 60_000;

/** How far apart the list that lacks an animal and the list that shows it may be, in ms, so that the time between them is learned. */
export const DELAY_PRECISION = 300;

const isNew = (pet: Pet, { store, clock }: World, delay: number) =>
  clock < (store.addedAt(pet) ?? Number.NEGATIVE_INFINITY) + delay;

const showsAfter = (delay: number) => `shows it after ${printCount(delay)} ms`;

const listsLate = (delay: number): Effect => ({
  does: showsAfter(delay),
  list: (pets, _ask, world) => filter(pets, (pet) => !isNew(pet, world, delay)),
});

const NOT_FOUND_YET = 'the behaviour shows a new animal later: getDelay';

const findsLate = (delay: number): Effect => ({
  does: showsAfter(delay),
  reply: (answer, { operation }, world) => {
    if (operation !== 'getPet' || answer.status !== 200 || !isNew(answer.value as Pet, world, delay))
      return answer;
    const message = `No animal has the id ${(answer.value as Pet).id}.`;
    throw new ApiError('not_found', message, answer.headers, NOT_FOUND_YET).ofKind('animal');
  },
});

export const listDelay = {
  about: 'Time until lists show a new animal, in milliseconds.',
  silentAt: LIST,
  values: [{ value: 0, does: 'shows it at once' }, ...[300, 1500].map(listed(listsLate))],
  free: { ...integers(0, LONGEST_DELAY, 700, listsLate), precision: DELAY_PRECISION },
} as const satisfies Choice<number>;

export const getDelay = {
  about: 'Time until GET /pets/{petId} shows a new animal, in milliseconds.',
  silentAt: GET,
  values: [{ value: 0, does: 'shows it at once' }, ...[300, 1500].map(listed(findsLate))],
  free: { ...integers(0, LONGEST_DELAY, 700, findsLate), precision: DELAY_PRECISION },
} as const satisfies Choice<number>;
