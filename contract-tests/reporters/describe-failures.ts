import { countOf } from '../../common/text/count-of.ts';
import { inWords } from '../../common/text/in-words.ts';
import type {
  ComparedWith,
  ExpectedResponse,
  Failure,
  FailureOf,
  FaultKind,
  MissingFault,
  RequestSubject,
} from '../failures/failure.ts';
import { identifyFailure } from '../failures/identify-failure.ts';
import type { Result } from '../runner/report.ts';
import {
  describeAnswer,
  describeBody,
  describeFailedAtOnce,
  describeOutcome,
  describeType,
  expectedBodies,
  quote,
} from './describe-answer.ts';
import { showDifference, showValues } from './show-difference.ts';

/** What was expected and what was received, in words. */
type Texts = readonly [expected: string, received: string];

const JSON_TYPE = 'application/json';

/** The texts of each kind of failure. */
const describeKind: { readonly [Kind in FaultKind]: (failure: FailureOf<Kind>) => Texts } = {
  status: (failure) => [describeExpected(failure.expected, failure.request), describeAnswer(failure)],
  'server fault': (failure) => ['a status below 500', quote(failure)],
  body: (failure) => [expectedBodies[failure.expected], describeBody(failure)],
  'error status': (failure) => [
    `the status ${describeOutcome(failure)} in the Error, as in the status line`,
    failure.received,
  ],
  header: ({ header, received }) =>
    header === 'Content-Type'
      ? [JSON_TYPE, describeType(received)]
      : [`a ${header} header`, received ?? 'none'],
  'byte order mark': () => [JSON_TYPE, 'a byte order mark before the JSON'],
  member: ({ member, expected, received, compared, id }) => {
    const [wanted, got] = showDifference(expected, received);
    const right = expected === undefined ? `no ${member}` : `the ${member} ${wanted}`;
    return [right + comparisons[compared](`${id}`), got];
  },
  'hidden member': ({ member, id }) => [
    `the ${member} of the animal ${id}, as other responses show it`,
    `no ${member}`,
  ],
  filter: ({ member, expected, received, id }) => [
    `only animals with the ${member} ${expected} for ?${member}=${expected}`,
    `the animal ${id} with the ${member} ${received}`,
  ],
  count: ({ expected, compared, received, isAtLeast }) => [
    compared === 'at most'
      ? `at most ${countOf(expected, 'animal')}`
      : `${countOf(expected, 'animal')}, as with limit=20`,
    isAtLeast ? `at least ${received}` : `${received}`,
  ],
  missing: (failure) => [missing[failure.lacks](failure), receivedLists[failure.received]],
  'two lists': ({ id, member, values }) => [
    `an animal in the list of one ${member}`,
    `the animal ${id}, which shows no ${member}, in the lists of ${values.join(' and ')}`,
  ],
  id: ({ idProblem, expected, received }) => ids[idProblem](received, `${expected}`),
  duplicate: ({ ids, where }) => [
    where === 'list' ? 'the animal once in the list' : 'the animal once',
    ids.join(' and '),
  ],
  'mixed up': ({ member, expected, received }) => [
    `the ${member} ${expected}`,
    `${received}, which another POST at the same time has sent`,
  ],
  added: ({ id, name }) => ['no new animal', `the animal ${id} with the name ${name}`],
};

/** Describes the failures of a clause in words: the first one, how often it was seen, then the others. */
export function describeFailures(
  failures: readonly Failure[],
  times?: Result['times'],
): { expected: string; received: string } {
  const [first, ...others] = failures;
  if (first === undefined) return { expected: '', received: '' };
  const [expected, received] = describeOne(first);
  if (first.kind === 'server fault' && !isSingle(first, others))
    return { expected, received: describeServerFaults(failures) };
  const often = first.kind === 'server fault' ? '' : describeTimes(times);
  return { expected, received: [received, often, ...describeOthers(first, others)].join('') };
}

function describeTimes(times: Result['times']): string {
  return times === undefined || times.wrong === times.of
    ? ''
    : `, in ${times.wrong} of ${times.of} responses`;
}

/** Describes the subject of a failure that has the same statuses as the first one. Empty if it has none, or other statuses. */
function findSubjectAlike(first: Failure, failure: Failure): string {
  if (first.kind !== 'status' || failure.kind !== 'status') return '';
  const isAlike = failure.status === first.status && failure.expected === first.expected;
  if (!isAlike) return '';
  const { request } = failure;
  return request?.what === 'at once' ? describeFailedAtOnce(request) : describeSubject(request);
}

/** Number of further failures of a clause that its text has. */
const MOST_OTHERS = 3;

/** Returns what makes two failures of a clause the same, wherever they were seen. */
function whatOf(failure: Failure): string {
  const { operation: _, status: __, ...what } = identifyFailure(failure);
  return JSON.stringify(what);
}

/** Describes what else is wrong: the same in another place, or something else. */
function describeOthers(first: Failure, others: readonly Failure[]): string[] {
  const [firstExpected] = describeOne(first);
  const placeOf = (failure: Failure) => {
    const where = failure.operation === first.operation ? [] : [`in ${failure.operation}`];
    const outcome = describeOutcome(failure);
    return [...where, ...(outcome === describeOutcome(first) ? [] : [`with ${outcome}`])].join(' ');
  };
  // The same status for another request needs its subject only.
  const texts = others.map((failure) => {
    const [expected, received] = describeOne(failure);
    const subject = findSubjectAlike(first, failure);
    if (subject !== '') return `; also${subject}`;
    if (expected !== firstExpected) return `; also ${received} instead of ${expected}`;
    if (placeOf(failure) === '') return '';
    return whatOf(failure) === whatOf(first)
      ? `, also ${placeOf(failure)}`
      : `; also ${received} in ${failure.operation}`;
  });
  const distinct = [...new Set(texts)].filter((text) => text !== '');
  const shown = distinct.slice(0, MOST_OTHERS);
  const left = distinct.length - shown.length;
  return left === 0 ? shown : [...shown, `; and ${left} more`];
}

/** Two values of a failure that should be the same, as the texts have them. */
export type Values = readonly [expected: string, received: string];

/** The values of the kinds of failures that compare two. */
const valuesOfKind: { readonly [Kind in FaultKind]?: (failure: FailureOf<Kind>) => Values | undefined } = {
  status: ({ expected, status }) =>
    typeof expected === 'number' && status !== undefined ? [`${expected}`, `${status}`] : undefined,
  'error status': ({ status, received }) => [`${status}`, received],
  header: ({ header, received }) =>
    header === 'Content-Type' && received !== undefined ? [JSON_TYPE, received] : undefined,
  member: ({ expected, received }) => showValues(expected, received),
  filter: ({ expected, received }) => [expected, received],
  count: ({ expected, received }) => [`${expected}`, `${received}`],
  id: ({ expected, received }) => (expected === undefined ? undefined : [expected, received]),
  'mixed up': ({ expected, received }) => [expected, received],
};

/** Finds the two values that the first failure compares, if its kind compares any. */
export function findValues([first]: readonly Failure[]): Values | undefined {
  return first === undefined ? undefined : findValuesOf(first);
}

function findValuesOf<Kind extends FaultKind>(failure: FailureOf<Kind>): Values | undefined {
  const find = valuesOfKind[failure.kind as Kind] as
    | ((one: FailureOf<Kind>) => Values | undefined)
    | undefined;
  return find?.(failure);
}

function describeOne<Kind extends FaultKind>(failure: FailureOf<Kind>): Texts {
  const describe = describeKind[failure.kind as Kind] as (one: FailureOf<Kind>) => Texts;
  return describe(failure);
}

const responses: Readonly<Record<Exclude<ExpectedResponse, number>, string>> = {
  '4xx': 'a 4xx',
  '4xx or list': 'a 4xx or a list',
  'no animal': 'no animal',
  '201 or 411': '201, or 411',
  '201 or 4xx': '201 or a 4xx',
};

function describeExpected(expected: ExpectedResponse, request: RequestSubject | undefined): string {
  const response = typeof expected === 'number' ? String(expected) : responses[expected];
  if (request?.what === 'animal') {
    const { id, seen } = request;
    return seen === 'added' ? `the added animal ${id}` : `the animal ${id}, as ${seen}`;
  }
  return response + describeSubject(request);
}

/** Describes what a request was about, to be read after the expected or the received status. */
function describeSubject(request: RequestSubject | undefined): string {
  switch (request?.what) {
    case 'body':
      return ` for ${describeSentBody(request.body)}`;
    case 'form':
      return ` for ${request.form}`;
    case 'at once':
      return ` for each of ${request.of} POSTs at the same time`;
    case 'media type':
      return ` for ${request.mediaType}`;
    case 'authorization':
      return request.authorization === ''
        ? ' for an empty Authorization'
        : ` for Authorization: ${request.authorization.trimEnd()}`;
    case 'query':
      return ` for ${request.query}`;
    case 'petId':
      return ` for the petId ${request.petId}`;
    case 'unknown id':
      return ' for an id that no animal has';
    case 'like a listed animal':
      return `, since POST /pets refuses every valid animal, also one like the animal ${request.id}`;
    case 'notation':
      return ', since JSON may have spaces, and members in any order';
    case 'member': {
      const { member, value, accepted } = request;
      const others = accepted === undefined ? '' : `, as for ${accepted.join(' and ')}`;
      return ` for the ${member} ${value}${others}`;
    }
    default:
      return '';
  }
}

function describeSentBody(body: string): string {
  if (body === '') return 'an empty body';
  if (body.trim() === '') return 'a blank body';
  if (body.startsWith('"')) return `the string ${body}`;
  return body.startsWith('[') ? `the array ${body}` : body;
}

function isSingle({ count, otherwise }: FailureOf<'server fault'>, others: readonly Failure[]): boolean {
  return count === 1 && otherwise.length === 0 && others.length === 0;
}

/** Prints how often each server fault was received. Faults at random may be of any operation in the next run. */
function describeServerFaults(failures: readonly Failure[]): string {
  const faults = failures.filter((failure) => failure.kind === 'server fault');
  const requests = faults[0]?.requests ?? 0;
  const otherwise = [...new Set(faults.flatMap((fault) => fault.otherwise))];
  const placeOf = ({ operation }: Failure) => (otherwise.length > 0 ? '' : ` for ${operation}`);
  const kinds = Map.groupBy(faults, (fault) =>
    JSON.stringify([describeOutcome(fault), placeOf(fault), fault.words]),
  );
  const rates = [...kinds.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const count = some.reduce((sum, fault) => sum + fault.count, 0);
    return [`${quote(first)}${placeOf(first)} in ${count} of ${requests} requests`];
  });
  const asked = faults.reduce((sum, { count }) => sum + count, 0) === 1 ? 'request' : 'requests';
  const also =
    otherwise.length === 0 ? '' : `, and the same ${asked} got ${otherwise.join(', ')} at other times`;
  return rates.join(', ') + also;
}

/** How an expected value of a member goes on. */
const comparisons: Readonly<Record<ComparedWith, (id: string) => string>> = {
  'other record': () => '',
  'in the list': () => ' in the list',
  'by its id': () => ' when fetched by its id',
  'in a browser': () => ', as without the headers of a browser',
  'of the animal, as before': (id) => ` of the animal ${id}, as before`,
  'of the animal, as before and after': (id) => ` of the animal ${id}, as before and after`,
};

const missing: Readonly<Record<MissingFault['lacks'], (fault: MissingFault) => string>> = {
  'any animal': () => 'at least one animal, since there are some',
  'the animal': ({ id }) => `the animal ${id} in the list`,
  'the animal of before': ({ id }) => `the animal ${id} in the list, as before`,
  'the matching animal': ({ id, has = [] }) => {
    const values = has.map(({ member, value }) => `the ${member} ${value}`);
    return `the animal ${id}, which has ${inWords(values, 'and')}, in the list`;
  },
};

const receivedLists: Readonly<Record<MissingFault['received'], string>> = {
  'list without it': 'a list without it',
  'empty list': 'an empty list',
};

const ids: Readonly<Record<FailureOf<'id'>['idProblem'], (received: string, expected: string) => Texts>> = {
  'not requested': (received, expected) => [`the id ${expected}`, received],
  'of a listed animal': (received) => ['a new id', `${received}, the id of a listed animal`],
  'of another new animal': (received) => ['a new id', `${received}, the id of another new animal`],
  'from the body': (received) => ['an id assigned by the service', `${received}, the one in the body`],
  twice: (received) => ['a unique id for each animal', `two animals with the id ${received}`],
};
