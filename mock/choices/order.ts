import type { Pet } from '../../common/json/pet.ts';
import { type Choice, LIST } from './choice.ts';

export const order = {
  about: 'Order of lists.',
  silentAt: LIST,
  values: [
    { value: 'newest', does: 'lists the newest first' },
    { value: 'oldest', does: 'lists the oldest first', list: (pets) => [...pets].reverse() },
    {
      value: 'name',
      does: 'sorts lists by name',
      list: (pets) => [...pets].reverse().sort(compareNames),
    },
    { value: 'random', does: 'shuffles lists', list: (pets, _ask, { random }) => shuffle([...pets], random) },
  ],
} as const satisfies Choice;

function compareNames(one: Pet, other: Pet): number {
  if (one.name === other.name) return 0;
  return one.name < other.name ? -1 : 1;
}

/** Source: Fisher-Yates shuffle */
function shuffle(pets: Pet[], random: () => number): Pet[] {
  for (let index = 0; index < pets.length; index += 1) {
    const other = index + Math.floor(random() * (pets.length - index));
    [pets[index], pets[other]] = [pets[other] as Pet, pets[index] as Pet];
  }
  return pets;
}
