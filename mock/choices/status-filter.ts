import { type Pet, type PetStatus, petStatuses } from '../../common/json/pet.ts';
import { filter } from '../service/answer.ts';
import { readListQuery } from '../service/read-request.ts';
import type { Ask, Hook, Query } from '../service/types.ts';
import { type Choice, emptyFor, LIST, mark, replacing, withParameter } from './choice.ts';

const isStatus = (text: string): text is PetStatus => petStatuses.some((status) => status === text);

/** Returns the statuses that a list has to have; none for any. */
const wantedBy = ({ query, marks }: Ask) => marks.statuses ?? query.getAll('status');

const withoutStatus = (query: Query) => withParameter(query, 'status', []);

/** Creates a hook that shows animals without a status in lists of this one. */
const showingIn = (shown: PetStatus): Hook => ({
  list: (pets, ask, { store, contract }) => {
    const wanted = wantedBy(ask);
    if (!wanted.includes(shown)) return pets;
    const { isWanted } = readListQuery(withoutStatus(ask.query), contract);
    return filter(store.newestFirst(), (pet) => isWanted(pet) && wanted.includes(pet.status ?? shown));
  },
});

export const listsWithoutStatus = {
  about: 'Lists by status that show an animal without a status.',
  silentAt: LIST,
  values: [
    { value: 'none', does: 'shows it in none' },
    { value: 'available', does: 'shows it as available', ...showingIn('available') },
    { value: 'pending', does: 'shows it as pending', ...showingIn('pending') },
    { value: 'sold', does: 'shows it as sold', ...showingIn('sold') },
  ],
} as const satisfies Choice;

export const invalidStatus = {
  about: 'An invalid status in the query, such as `lost`.',
  silentAt: LIST,
  values: [
    { value: 'refuse', does: 'refuses it with 400' },
    {
      value: 'ignore',
      does: 'ignores it',
      ...replacing('status', (text) => (isStatus(text) ? undefined : [])),
    },
    {
      value: 'empty',
      does: 'returns an empty list',
      ...emptyFor('status', (text) => !isStatus(text)),
    },
  ],
} as const satisfies Choice;

const toLower = (text: string) => {
  const lower = text.toLowerCase();
  return lower.split(',').some(isStatus) ? lower : text;
};

export const statusCase = {
  about: 'Case of a status in the query, such as `SOLD`.',
  silentAt: LIST,
  values: [
    { value: 'exact', does: 'takes another case for an invalid status' },
    {
      value: 'any',
      does: 'accepts it in any case',
      request: (ask) => {
        const texts = ask.query.getAll('status');
        return { ...ask, query: withParameter(ask.query, 'status', texts.map(toLower)) };
      },
    },
  ],
} as const satisfies Choice;

/** Lists animals of each of the statuses, unless one of them is invalid. */
export function askForEach(ask: Ask, texts: readonly string[]): Ask {
  if (!texts.every(isStatus)) return ask;
  return mark({ ...ask, query: withoutStatus(ask.query) }, 'statuses', texts);
}

export const listEach = (pets: Iterable<Pet>, { marks: { statuses } }: Ask): Iterable<Pet> =>
  statuses === undefined ? pets : filter(pets, ({ status }) => statuses.some((one) => one === status));

export const statusLists = {
  about: 'Several statuses with commas in the query, such as `status=sold,pending`.',
  silentAt: LIST,
  values: [
    { value: 'invalid', does: 'takes them for an invalid status' },
    {
      value: 'union',
      does: 'lists animals of each',
      request: (ask) => {
        const [text = '', ...others] = ask.query.getAll('status');
        return others.length > 0 ? ask : askForEach(ask, text.split(','));
      },
      list: listEach,
    },
  ],
} as const satisfies Choice;
