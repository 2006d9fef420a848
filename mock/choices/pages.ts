import type { Pet } from '../../common/json/pet.ts';
import type { ServiceContract } from '../service/contract.ts';
import type { Hook, Query } from '../service/types.ts';
import { type Choice, integers, LIST, listed, mark, withParameter } from './choice.ts';

/** Returns the limit of a query; undefined if it is refused. */
function readLimit(query: Query, { limit }: ServiceContract): number | undefined {
  const [text, ...others] = query.getAll(limit.name);
  if (text === undefined) return limit.usual;
  const value = limit.read(text);
  return limit.isValid(value) && others.length === 0 ? Number(value) : undefined;
}

const lists = (most: number) => ({
  does: most === 1 ? 'lists 1' : `lists up to ${most}`,
  request: ((ask, { contract }) => {
    const limit = readLimit(ask.query, contract) ?? 0;
    return limit > most ? { ...ask, query: withParameter(ask.query, 'limit', [`${most}`]) } : ask;
  }) satisfies Hook['request'],
});

export const pageSize = {
  about: 'Maximum number of animals of a list, for any limit.',
  silentAt: LIST,
  values: [{ value: 100, does: 'lists up to 100' }, ...[25, 7, 1].map(listed(lists))],
  free: integers(1, 100, 12, lists),
} as const satisfies Choice<number>;

/** Creates a hook that skips animals. A text that is no number is ignored. */
function skipping(name: string, toOffset: (number: number, limit: number) => number): Hook {
  return {
    request: (ask, { contract }) => {
      const [text = ''] = ask.query.getAll(name);
      const limit = readLimit(ask.query, contract);
      const known = { ...ask, query: withParameter(ask.query, name, []) };
      const isNumber = /^\d{1,15}$/.test(text) && limit !== undefined;
      return isNumber ? mark(known, 'offset', [`${toOffset(Number(text), limit)}`]) : known;
    },
    list: (pets, { marks: { offset } }) => (offset === undefined ? pets : skip(pets, Number(offset[0]))),
  };
}

function* skip(pets: Iterable<Pet>, count: number): Generator<Pet> {
  let index = 0;
  for (const pet of pets) {
    if (index >= count) yield pet;
    index += 1;
  }
}

export const pages = {
  about: 'A query parameter for further pages of a list.',
  silentAt: LIST,
  values: [
    { value: 'none', does: 'has none' },
    {
      value: 'page',
      does: 'shows the second page for page=2',
      ...skipping('page', (page, limit) => Math.max(0, page - 1) * limit),
    },
    { value: 'offset', does: 'skips 20 animals for offset=20', ...skipping('offset', Number) },
    { value: 'skip', does: 'skips 20 animals for skip=20', ...skipping('skip', Number) },
  ],
} as const satisfies Choice;
