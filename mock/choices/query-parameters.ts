import { describeValue, invalidRequest } from '../../common/http/api-error.ts';
import type { Ask, Query } from '../service/types.ts';
import { type Choice, LIST, withParameter } from './choice.ts';
import { askForEach, listEach } from './status-filter.ts';

/** Returns a query in which each parameter has one of its texts. */
function keepOne(query: Query, index: 0 | -1): Query {
  const names = new Set([...query].map(([name]) => name));
  return [...names].reduce((one, name) => {
    const texts = query.getAll(name);
    return texts.length > 1 ? withParameter(one, name, [texts.at(index) ?? '']) : one;
  }, query);
}

/** Asks for the last limit, and for animals of each status. */
function unite(ask: Ask): Ask {
  const statuses = ask.query.getAll('status');
  if (statuses.length < 2) return { ...ask, query: keepOne(ask.query, -1) };
  const united = askForEach(ask, statuses);
  // With an invalid status, it is decided about all of them together.
  const query = united === ask ? withParameter(ask.query, 'status', [statuses.join(',')]) : united.query;
  return { ...united, query: keepOne(query, -1) };
}

export const repeatedParameters = {
  about: 'A query parameter that is given more than once.',
  silentAt: LIST,
  values: [
    { value: 'refuse', does: 'refuses them with 400' },
    { value: 'first', does: 'uses the first', request: (ask) => ({ ...ask, query: keepOne(ask.query, 0) }) },
    { value: 'last', does: 'uses the last', request: (ask) => ({ ...ask, query: keepOne(ask.query, -1) }) },
    {
      value: 'union',
      does: 'uses the last limit, and lists animals of each status',
      request: unite,
      list: listEach,
    },
  ],
} as const satisfies Choice;

export const unknownParameters = {
  about: 'Query parameters that GET /pets does not have.',
  silentAt: LIST,
  values: [
    { value: 'ignore', does: 'ignores them' },
    {
      value: 'refuse',
      does: 'refuses them with 400',
      reply: (answer, { operation, query }, { contract: { limit, filters } }) => {
        if (operation !== 'listPets' || answer.status === 401) return answer;
        const known = [limit, ...filters].map(({ name }) => name);
        const others = [...query].filter(([name]) => !known.includes(name));
        if (others.length === 0) return answer;
        const sentences = others.map(([name]) => `there is no parameter ${describeValue(name)}`);
        throw invalidRequest(`${sentences.join('. ')}.`).ofKind('unknownParameter');
      },
    },
  ],
} as const satisfies Choice;
