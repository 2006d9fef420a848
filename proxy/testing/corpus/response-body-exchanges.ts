import {
  answer,
  creation,
  fetched,
  lawful,
  list,
  printPet,
  type SampleExchange,
  stockSays,
  unlawful,
} from './sample-exchange.ts';

/** Members of an animal of which each breaks a rule. */
const brokenMembers: readonly Readonly<Record<string, unknown>>[] = [
  ...[undefined, null, true, '1', 1.5, [], {}].map((id) => ({ id })),
  ...[undefined, null, true, 5, [], {}].map((name) => ({ name })),
  ...[undefined, null, true, '2', 1.5, [], {}].map((categoryId) => ({ categoryId })),
  ...[null, true, 5, '', 'lost', 'Available', [], {}].map((status) => ({ status })),
];

function describe(members: Readonly<Record<string, unknown>>): string {
  return Object.entries(members)
    .map(([name, value]) => (value === undefined ? `no ${name}` : `the ${name} ${JSON.stringify(value)}`))
    .join(' and ');
}

/** Members of an Error of which each breaks a rule. */
const brokenErrors: readonly Readonly<Record<string, unknown>>[] = [
  ...[undefined, null, 5].map((code) => ({ code })),
  ...[undefined, null, []].map((message) => ({ message })),
  ...[undefined, null, '401', 401.5].map((status) => ({ status })),
];

/** An animal with an integer as it is written here. */
function withId(id: string): string {
  return `{"id":${id},"name":"Rex","categoryId":2}`;
}

/** Bodies of responses that break a rule, and some that only seem to. */
export const responseBodyExchanges: readonly SampleExchange[] = [
  ...brokenMembers.map((members) =>
    unlawful(
      `an animal with ${describe(members)} is reported`,
      fetched.request,
      answer(200, printPet(members)),
    ),
  ),
  ...brokenMembers
    .filter((members) => Object.values(members).includes(undefined))
    .map((members) =>
      unlawful(
        `a new animal with ${describe(members)} is reported`,
        creation.request,
        answer(201, printPet(members)),
      ),
    ),
  ...[{ id: undefined }, { name: null }, { categoryId: 'x' }, { status: 'lost' }].map((members) =>
    unlawful(
      `an animal of a list with ${describe(members)} is reported`,
      list.request,
      answer(200, `[${printPet()},${printPet(members)}]`),
    ),
  ),
  ...brokenErrors.map((members) =>
    unlawful(
      `an Error with ${describe(members)} is reported`,
      list.request,
      answer(401, JSON.stringify({ code: 'code', message: 'A message.', status: 401, ...members })),
    ),
  ),
  ...['{}', 'null', 'false', '5', '"text"', '[null]', '[5]', '[[]]', '[{}]'].map((body) =>
    unlawful(`the list ${body} is reported`, list.request, answer(200, body)),
  ),
  ...['[]', 'null', 'true', '0', '""', '{}', `[${printPet()}]`].map((body) =>
    unlawful(`the animal ${body} is reported`, fetched.request, answer(200, body)),
  ),
  ...['[]', 'null', '"Unauthorized"', '{}', '{"error":"Unauthorized"}'].map((body) =>
    unlawful(`the Error ${body} is reported`, fetched.request, answer(404, body)),
  ),
  unlawful(
    'several broken animals are each reported',
    list.request,
    answer(200, `[{},${printPet({ id: '1', status: 5 })}]`),
  ),
  ...['9007199254740992', '9223372036854775807'].map((id) =>
    lawful(
      `an animal with the id ${id} is allowed`,
      fetched.request,
      answer(200, withId(id)),
      stockSays('int64', 200, 'Error response.body.id maximum'),
    ),
  ),
  lawful(
    'a list with the smallest int64 is allowed',
    list.request,
    answer(200, `[${withId('-9223372036854775808')}]`),
    stockSays('int64', 200, 'Error response.body.0.id minimum'),
  ),
  unlawful('an id above int64 is reported', fetched.request, answer(200, withId('9223372036854775808'))),
  unlawful('an id below int64 is reported', fetched.request, answer(200, withId('-9223372036854775809'))),
  unlawful(
    'more violations than a header holds are reported',
    list.request,
    answer(200, JSON.stringify(Array(60).fill({}))),
    stockSays('long header', 200, 'cut off'),
  ),
];
