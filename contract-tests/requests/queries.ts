import type { AnimalFacts, Member } from '../../common/json/animal-facts.ts';
import { listInvalidParameters, queryOf } from '../history/list-parameters.ts';
import type { Sender } from './sender.ts';

const toLimit = (limit: string | number) => `?limit=${limit}`;

/** Limits that a service may take for no limit at all, and that are none. */
const invalidLimits = [
  ...['0', '-1', '101', 'abc', '1000', '101&status=pending', '', '9223372036854775808', '1e3', '%00'],
  ...['08', '%2B5', '%D9%A3', '100.5', '1,2', '0&status=pending', 'abc&status=sold', 'Infinity'],
].map(toLimit);

/** Texts that a service may take for a value of a filter, or for none. */
const texts = ['0', '1', '%00', '%E0%A4', '%', 'null', "'", 'constructor', 'x'.repeat(1_000)];

/** Lists queries with a value that a filter may not have. */
function listInvalidValues({ name, values = ['a'] }: Member, contract: AnimalFacts): readonly string[] {
  const queries = [
    ...[`?${name}=lost`, `?${name}=${`${values[0]}`.toUpperCase()}`],
    // Longer, so that it shows animals of both values where the first ones have the same.
    `?limit=100&${name}=${values[0]},${values.at(-1)}`,
    ...['', ...texts].map((text) => `?${name}=${text}`),
    ...[`?limit=1&${name}=`, `?limit=2&${name}=lost`],
  ];
  return queries.filter((query) => listInvalidParameters(queryOf(query), contract).includes(name));
}

/** Numbers of queries in a run that may not write. */
const MOST_INVALID_LIMITS = 6;
const MOST_INVALID_VALUES = 5;
const MOST_UNUSUAL = 4;

const HOSTILE = "<script>alert(1)</script> ' OR '1'='1'; DROP TABLE pets; -- ../../etc/passwd";

/** Queries with parameters that are unknown, or there several times: no list has more animals than any of them allows. */
const unusual = [
  ...['?contract-test=1', '?limit=100&status=s%6Fld', `?limit=${'9'.repeat(40)}`, '?limit=1&limit=500'],
  ...['?limit=500&limit=1', '?limit=5&limit=7', '?limit=1&limit=2', '?limit=%35'],
  `?contract-test=${encodeURIComponent(HOSTILE)}`,
  ...['?limit=100&status=sold&status=pending', '?status%5B%5D=sold', '?limit%5B%5D=5'],
];

/** Queries that the specification does not fix the answer of. */
export async function sendQueries(sender: Sender): Promise<void> {
  const { contract } = sender.history;
  const queries = [
    ...sender.chooseFew(invalidLimits, MOST_INVALID_LIMITS),
    ...contract.filters.flatMap((filter) =>
      sender.chooseFew(listInvalidValues(filter, contract), MOST_INVALID_VALUES),
    ),
    ...sender.chooseFew(unusual, MOST_UNUSUAL),
  ];
  // A run that may not write has few of them, and so can ask each more often: one of two instances may answer.
  for (const hasOwnConnection of sender.mayWrite ? [false] : [false, true]) {
    const requests = queries.map((query) => ({ path: `/pets${query}`, hasOwnConnection }));
    await sender.sendTogether(requests);
    // Of two instances that take turns, each gets all of them.
    await sender.sendTogether(requests.toReversed());
  }
}
