import type { ServiceContract } from '../service/contract.ts';
import type { Hook, Query } from '../service/types.ts';
import { type Choice, integers, LIST, listed, withParameter } from './choice.ts';

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
