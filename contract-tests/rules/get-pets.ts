import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';
import { countOf } from '../../common/text/count-of.ts';
import type { Exchange } from '../client/exchange.ts';
import { MOST_ELEMENTS } from '../client/read-json.ts';
import type { CountFault } from '../failures/failure.ts';
import type { ListAnswer } from '../history/history.ts';
import {
  DEFAULT_LIMIT,
  isValidList,
  LARGEST_LIMIT,
  listInvalidParameters,
  queryOf,
} from '../history/list-parameters.ts';
import { ALL } from '../history/list-query.ts';
import { ADDING } from './additions.ts';
import { lookAtFilters, lookForTwoValues, needsValues } from './filters.ts';
import { findOtherType, findSchemaFault } from './find-schema-fault.ts';
import { lookForHidden } from './hidden-status.ts';
import { compareLists } from './membership.ts';
import { type Evidence, type Gap, type Look, underHeading } from './rule.ts';
import { seeMissing } from './see-missing.ts';
import { compare, listAuthorized, lookAtStatus, sight, wrongStatus } from './sight.ts';

export const getPetsClauses = underHeading('GET /pets', { needs: ['lists', 'animals', 'lists again'] })([
  {
    id: 'list-pets/limit-most-100',
    sentence: 'GET /pets returns at most 100 animals, for any limit.',
    explainedBy: ['list-pets/limit-default', 'list-pets/unique-ids'],
    needs: ['lists', 'unusual queries', 'last look'],
    look: (evidence) => lookAtEachList(evidence, ({ exchange }) => lookAtLength(exchange, LARGEST_LIMIT)),
  },
  {
    id: 'list-pets/limit-is-a-maximum',
    explainedBy: ['list-pets/limit-most-100', 'list-pets/unique-ids'],
    sentence: 'GET /pets returns no more animals than limit.',
    tolerated: {
      'maximum number of animals of a list':
        'fewer than limit, as long as no other list with this limit or a smaller one was longer',
    },
    look: (evidence) =>
      lookAtEachList(evidence, ({ exchange, query: { hasLimit, limit } }) =>
        hasLimit && limit < LARGEST_LIMIT ? lookAtLength(exchange, limit) : undefined,
      ),
  },
  {
    id: 'list-pets/limit-bounds',
    sentence: 'GET /pets accepts limit=1 and limit=100.',
    look: (evidence) =>
      evidence
        .once(listValid)
        .filter(isOfBound)
        .map((exchange) => lookAtStatus(exchange, 200)),
  },
  {
    id: 'list-pets/limit-default',
    sentence: 'GET /pets without limit returns as many animals as with limit=20, with and without a filter.',
    explainedBy: [
      ...['list-pets/limit-is-a-maximum', 'list-pets/filter-complete'],
      ...['list-pets/success', 'list-pets/unique-ids', 'create-pet/stored', 'store/kept'],
    ],
    look: (evidence) => [
      ...seeMissing('list-pets/limit-default', evidence),
      ...lookAtEachList(evidence, ({ exchange, query }) =>
        !query.hasLimit && query.isValid ? lookAtLength(exchange, DEFAULT_LIMIT) : undefined,
      ),
      ...compareLists(evidence, ({ query }) => !query.hasLimit),
    ],
    findGap: ({ facts: { lists } }) => {
      const longest = Math.max(0, ...lists.map(({ ids }) => ids.size));
      const needed = DEFAULT_LIMIT + 1;
      if (longest < needed)
        return {
          reason: `the longest list has ${countOf(longest, 'animal')}; ${needed} are needed to see the default limit`,
        };
      const most = Math.max(0, ...lists.map(({ query, ids }) => (query.hasLimit ? 0 : ids.size)));
      if (most >= DEFAULT_LIMIT) return undefined;
      return {
        reason: `the lists without limit have at most ${countOf(most, 'animal')} with ids of their own, and nothing shows which they lack`,
      };
    },
  },
  {
    id: 'list-pets/limit-omitted',
    sentence: 'GET /pets without limit never returns more than 20 animals, whatever was requested before.',
    explainedBy: ['list-pets/limit-is-a-maximum', 'list-pets/limit-default'],
    needs: ['lists', 'lists in turn', 'unusual queries', 'animals', 'lists again'],
    look: (evidence) =>
      lookAtEachList(evidence, ({ exchange, query }) =>
        !query.hasLimit && query.limit === DEFAULT_LIMIT ? lookAtLength(exchange, DEFAULT_LIMIT) : undefined,
      ),
  },
  {
    id: 'list-pets/limit-invalid',
    sentence:
      'GET /pets with a limit that is not an integer from 1 to 100 returns a 4xx or a conforming list.',
    explainedBy: ['list-pets/success'],
    tolerated: { 'an invalid limit': 'any 4xx with an Error, or a conforming list' },
    needs: ['unusual queries'],
    look: (evidence) => lookAtInvalid(evidence, (name) => name === 'limit'),
  },
  {
    id: 'list-pets/filter-invalid',
    sentence: 'GET /pets with an invalid value of a filter returns a 4xx or a conforming list.',
    explainedBy: ['list-pets/success'],
    tolerated: { 'an invalid status': 'any 4xx with an Error, or a conforming list' },
    needs: ['unusual queries'],
    look: (evidence) => lookAtInvalid(evidence, (name) => name !== 'limit'),
  },
  {
    id: 'list-pets/filters',
    sentence: 'GET /pets with a filter, such as status, returns only animals that match it.',
    tolerated: { 'lists by status that show an animal without a status': 'one of the three for the filter' },
    explainedBy: ['list-pets/pets'],
    look: (evidence) => [...lookAtFilters(evidence), ...lookForTwoValues(evidence)],
    findGap: needsValues,
  },
  {
    id: 'list-pets/filter-complete',
    sentence:
      'GET /pets with a status returns every animal with that status, unless limit cuts the list short.',
    explainedBy: [
      ...['list-pets/limit-is-a-maximum', 'list-pets/filters'],
      ...['list-pets/filter-before-limit', 'store/kept', 'list-pets/success'],
    ],
    look: (evidence) => [
      ...seeMissing('list-pets/filter-complete', evidence),
      ...compareLists(evidence, ({ query: { kind, limit } }) => kind !== ALL && limit === LARGEST_LIMIT),
    ],
    findGap: (_, looks) =>
      looks.length === 0
        ? { reason: 'no response has shown an animal that a list with a filter had to have' }
        : undefined,
  },
  {
    id: 'list-pets/filter-before-limit',
    sentence: 'GET /pets applies limit to the animals that match the filters.',
    explainedBy: [
      ...['list-pets/limit-is-a-maximum', 'list-pets/filters'],
      ...['list-pets/limit-default', 'list-pets/success', 'list-pets/unique-ids', 'store/kept'],
    ],
    look: (evidence) => [
      ...seeMissing('list-pets/filter-before-limit', evidence),
      ...compareLists(evidence, ({ query: { kind, limit } }) => kind !== ALL && limit < LARGEST_LIMIT),
    ],
    findGap: needsValues,
  },
  {
    id: 'list-pets/success',
    sentence: 'GET /pets with valid parameters returns 200 and a JSON array.',
    tolerated: {
      'order of lists': 'any order, and another one each time',
      'time until lists show a new animal':
        'within 2 s (--settle); a list that names its age may be as old as that, up to 10 s',
    },
    look: (evidence) => [
      ...evidence.once(listValid).flatMap((exchange) => lookForList(exchange)),
      ...seeMissing('list-pets/success', evidence),
    ],
  },
  {
    id: 'list-pets/pets',
    sentence: 'Every element of every list is a Pet, and shows its status if it has one.',
    explainedBy: ['create-pet/', 'service/browser'],
    needs: ['lists', ...ADDING, 'lists again', 'last look'],
    look: (evidence) => [...lookAtElements(evidence), ...lookForHidden(evidence, 'list')],
    findGap: needsAnimals,
  },
  {
    id: 'list-pets/unique-ids',
    sentence: 'No two animals in a list have the same id.',
    explainedBy: ['create-pet/unique-id'],
    look: (evidence) => lookAtEachList(evidence, ({ exchange }) => lookForTwins(exchange)),
    findGap: ({ history }) =>
      history.lists.some(({ ids }) => ids.size > 1) ? undefined : { reason: 'no list has two animals' },
  },
]);

/** Returns the gap of a deployment whose lists show no animal. */
export function needsAnimals({ history }: Evidence): Gap | undefined {
  return history.lists.some(({ ids }) => ids.size > 0) ? undefined : { reason: 'no list has an animal' };
}

function lookAtEachList(
  { history }: Evidence,
  look: (list: ListAnswer) => Look | undefined,
): readonly Look[] {
  return history.lists.flatMap((list) => look(list) ?? []);
}

/** Lists the valid requests for lists, whatever was answered. */
function listValid(evidence: Evidence): readonly Exchange[] {
  return evidence
    .once(listAuthorized)
    .filter(
      ({ request, path }) =>
        request.method === 'GET' &&
        isValidList(path, evidence.history.contract) &&
        request.form === undefined,
    );
}

function isOfBound({ path }: Exchange): boolean {
  return ['/pets?limit=1', '/pets?limit=100'].includes(path);
}

function lookForList(exchange: Exchange): Look[] {
  // Another clause expects that these are accepted.
  if (isOfBound(exchange) && exchange.status >= 400) return [];
  if (exchange.status !== 200) return [sight(exchange, wrongStatus(exchange, 200))];
  if (exchange.isList) return [compare(exchange, exchange.animals)];
  const body = exchange.shorten(`${exchange.response?.body}`);
  return [sight(exchange, { kind: 'body', expected: 'list', problem: findOtherType(exchange), body })];
}

function lookAtLength(exchange: Exchange, most: number): Look {
  const { length } = exchange.json as readonly ExactJson[];
  return length > most ? sight(exchange, createCount(most, length)) : compare(exchange, exchange.animals);
}

function createCount(expected: number, received: number): CountFault {
  const isAtLeast = received >= MOST_ELEMENTS;
  return { kind: 'count', compared: 'at most', expected, received, isAtLeast };
}

/** @param isMeant which parameter is invalid, or the first of several */
function lookAtInvalid(evidence: Evidence, isMeant: (name: string) => boolean): readonly Look[] {
  const { contract } = evidence.history;
  const exchanges = evidence.once(listAuthorized).filter(({ request, path }) => {
    const [place] = path.split('?');
    const [first] = place === '/pets' ? listInvalidParameters(queryOf(path), contract) : [];
    return request.method === 'GET' && first !== undefined && isMeant(first);
  });
  return exchanges.map((exchange) => {
    const { status, isSuccess, isList, path } = exchange;
    if (isSuccess && !isList)
      return sight(exchange, { kind: 'body', expected: '4xx or list', problem: findOtherType(exchange) });
    const isMet = isList || (status >= 400 && status < 500);
    const query = exchange.shorten(path.replace('/pets', ''));
    return lookAtStatus(exchange, '4xx or list', isMet, { what: 'query', query });
  });
}

function lookAtElements({ history }: Evidence): readonly Look[] {
  return history.lists.map(({ exchange }) => {
    const elements = exchange.json as readonly ExactJson[];
    for (const [index, pet] of elements.entries()) {
      const problem = findSchemaFault('Pet', pet, exchange.contract);
      if (problem === undefined) continue;
      const id = isJsonObject(pet) && typeof pet.id === 'bigint' ? [pet.id] : [];
      return sight(exchange, { kind: 'body', expected: 'list of Pets', problem, index }, { about: id });
    }
    return compare(exchange, exchange.animals);
  });
}

function lookForTwins(exchange: Exchange): Look | undefined {
  const ids = exchange.animals.flatMap(({ id }) => (typeof id === 'bigint' ? [id] : []));
  const seen = new Set<bigint>();
  const twin = ids.find((id) => seen.size === seen.add(id).size);
  if (twin === undefined) return ids.length > 1 ? compare(exchange, exchange.animals) : undefined;
  return sight(exchange, { kind: 'id', idProblem: 'twice', received: String(twin) }, { about: [twin] });
}
