import { defaultBehaviour } from '../../common/behaviour/behaviours.ts';
import type { Behaviour, ChoiceName } from '../../common/behaviour/choices.ts';
import { isPlainText } from '../../common/behaviour/is-plain-text.ts';
import { ApiError, describeValue, invalidMembers, invalidRequest } from '../../common/http/api-error.ts';
import type { ErrorKind } from '../../common/http/error-kinds.ts';
import type { JsonObject } from '../../common/json/exact-json.ts';
import type { NewPet } from '../../common/json/pet.ts';
import type { BehaviourSource } from './behaviour-source.ts';
import { type FilterName, type FilterValues, filterNames, listFilters } from './list-filters.ts';
import { nameRefusedMember } from './name-refused-member.ts';
import { findProblems, isString, newPetNames, pickMembers } from './pet-members.ts';
import type { PetStore } from './pet-store.ts';

const LEAST_LIMIT = 1;
const LARGEST_LIMIT = 100;
const DEFAULT_LIMIT = 20;

const A_LIMIT = `an integer from ${LEAST_LIMIT} to ${LARGEST_LIMIT}`;

/** A URLSearchParams would require the DOM or Node in the types of the package. */
export interface Query {
  getAll(name: string): readonly string[];
  keys(): Iterable<string>;
}

/** What a query of listPets asks for. */
export interface ListQuery {
  /** Maximum number of animals, before the page size of the behaviour. */
  readonly limit: number;
  /** Number of animals before the first one, on a further page. */
  readonly offset: number;
  readonly filters: FilterValues;
}

/** Reads the query of listPets. @throws ApiError `invalid_request`, naming each parameter that is wrong */
export function parseListQuery(query: Query, source: BehaviourSource): ListQuery {
  const { repeatedParameters, unknownParameters } = source.behaviour;
  const problems: QueryProblem[] = [];
  if (unknownParameters === 'refuse') {
    problems.push(...findUnknownParameters(query, source));
    if (problems.length > 0) source.noteActed('unknownParameters');
  }
  /** Reads a parameter. @param parse returns undefined for an invalid value */
  const read = <T>(name: string, expected: string, parse: (texts: readonly string[]) => T | undefined) => {
    const texts = query.getAll(name);
    if (texts.length === 0) return undefined;
    const isRefused = texts.length > 1 && repeatedParameters === 'refuse';
    if (texts.length > 1 && !isRefused) source.noteActed('repeatedParameters');
    const chosen = isRefused ? texts : chooseRepeated(texts, repeatedParameters);
    const value = isRefused ? undefined : parse(chosen);
    const given = chosen.length === 1 ? describeValue(chosen[0] ?? '') : `${texts.length} values`;
    const sentence = `${name} must be ${expected}, not ${given}`;
    if (value === undefined) problems.push({ kind: kindsOfParameters[name], sentence });
    return value;
  };
  const limit = read('limit', A_LIMIT, (texts) => parseLimit(texts.at(-1) ?? '', source)) ?? DEFAULT_LIMIT;
  const given = filterNames.map((name) => {
    const { expected } = listFilters[name];
    return [name, read(name, expected, (texts) => parseFilter(name, texts, source))] as const;
  });
  expectNone(problems);
  if (given.some(([, filter]) => filter === 'empty')) return { limit: 0, offset: 0, filters: {} };
  const valid = given.flatMap(([name, filter]) => (typeof filter === 'object' ? [[name, filter.value]] : []));
  return { limit, offset: readOffset(query, limit, source), filters: Object.fromEntries(valid) };
}

/** What is wrong with a query. */
interface QueryProblem {
  readonly kind: ErrorKind | undefined;
  readonly sentence: string;
}

/** The kinds of refusals of parameters. */
const kindsOfParameters: Readonly<Record<string, ErrorKind>> = { limit: 'limit', status: 'statusFilter' };

/** Returns the number of animals before the page that a query asks for. A value that is no page is ignored. */
function readOffset(query: Query, limit: number, { behaviour }: BehaviourSource): number {
  const { pages, pageSize } = behaviour;
  const [text = ''] = pages === 'none' ? [] : query.getAll(pages);
  if (!/^\d{1,15}$/.test(text)) return 0;
  return pages === 'page' ? Math.max(0, Number(text) - 1) * Math.min(limit, pageSize) : Number(text);
}

/** Returns the values of a repeated parameter that count. */
function chooseRepeated(
  texts: readonly string[],
  policy: Behaviour['repeatedParameters'],
): readonly string[] {
  if (policy === 'union') return texts;
  return policy === 'last' ? texts.slice(-1) : texts.slice(0, 1);
}

function findUnknownParameters(query: Query, { behaviour }: BehaviourSource): QueryProblem[] {
  const known: readonly string[] = ['limit', ...filterNames, behaviour.pages];
  const others = [...query.keys()].filter((name) => !known.includes(name));
  return others.map((name) => ({
    kind: 'unknownParameter',
    sentence: `there is no parameter ${describeValue(name)}`,
  }));
}

/** Returns the value of a filter, or what the behaviour does with an invalid one, or undefined to refuse it. */
function parseFilter(name: FilterName, texts: readonly string[], source: BehaviourSource) {
  const { parse, whenInvalid } = listFilters[name];
  const value = parse(texts, source);
  if (value !== undefined) return { value };
  if (whenInvalid === undefined) return undefined;
  const policy = source.behaviour[whenInvalid];
  if (policy === 'refuse') return undefined;
  source.noteActed(whenInvalid);
  return policy;
}

/** The kinds of refusals of members. */
const kindsOfMembers: Readonly<Record<string, { readonly missing?: ErrorKind; readonly wrong: ErrorKind }>> =
  {
    name: { missing: 'missingName', wrong: 'name' },
    categoryId: { missing: 'missingCategoryId', wrong: 'categoryId' },
    status: { wrong: 'status' },
  };

/** Reads the body of createPet, without further members. @throws ApiError `invalid_request`, naming each wrong field */
export function parseNewPet(body: JsonObject, source: BehaviourSource, store: PetStore): NewPet {
  const problems = findProblems(body, newPetNames);
  const [first] = problems;
  if (first !== undefined) {
    const kinds = kindsOfMembers[first.member];
    const kind = body[first.member] === undefined ? kinds?.missing : kinds?.wrong;
    throw nameRefusedMember(invalidMembers(problems).ofKind(kind), source);
  }
  const pet = pickMembers(body, newPetNames) as NewPet;
  if (source.behaviour === defaultBehaviour) return pet;
  const refusals = findRefusals(pet, Object.keys(body), source, store);
  for (const { choice } of refusals) source.noteActed(choice);
  if (refusals.length === 0) return pet;
  const sentences = refusals.map(({ sentence }) => sentence);
  if (isConflict(refusals, source)) throw new ApiError('name_taken', `${sentences.join('. ')}.`);
  throw nameRefusedMember(invalidRequest(`${sentences.join('. ')}.`), source);
}

/** A rule of the behaviour that a valid body breaks. */
interface Refusal {
  readonly choice: ChoiceName;
  readonly sentence: string;
}

/** Returns whether nothing but a taken name is refused, and with 409. A body that is wrong in another way gets 400. */
function isConflict(refusals: readonly Refusal[], { behaviour }: BehaviourSource): boolean {
  const hasStatus = behaviour.uniqueNames === 'conflict' || behaviour.uniqueNames === 'conflictIgnoringCase';
  return hasStatus && refusals.every(({ choice }) => choice === 'uniqueNames');
}

/** Returns the rules of the behaviour that a valid body breaks. @param given Names of all its members. */
function findRefusals(
  { name, categoryId }: NewPet,
  given: readonly string[],
  { behaviour }: BehaviourSource,
  store: PetStore,
): Refusal[] {
  const { longestName, shortestName, nameCharacters, emptyNames, uniqueNames, categories, unknownMembers } =
    behaviour;
  const others = given.filter((member) => !newPetNames.some((known) => known === member));
  const { length } = name;
  const has = (isIt: (pet: NewPet) => boolean) => store.all().some(isIt);
  const refusals: Refusal[] = [];
  const refuseIf = (isBroken: boolean, choice: ChoiceName, sentence: string) => {
    if (isBroken) refusals.push({ choice, sentence });
  };
  const isTooLong = longestName !== 'any' && length > longestName;
  refuseIf(isTooLong, 'longestName', `name must have at most ${longestName} characters, not ${length}`);
  const isTooShort = length > 0 && length < shortestName;
  refuseIf(isTooShort, 'shortestName', `name must have at least ${shortestName} characters, not ${length}`);
  const isUnusual = nameCharacters === 'plain' && !isPlainText(name);
  refuseIf(isUnusual, 'nameCharacters', "name must have only letters, digits, spaces and . ' -");
  const isEmpty = emptyNames !== 'accepted' && (emptyNames === 'blank' ? name.trim() : name) === '';
  refuseIf(isEmpty, 'emptyNames', `name must not be ${name === '' ? 'empty' : 'spaces only'}`);
  const isCaseIgnored = uniqueNames === 'ignoringCase' || uniqueNames === 'conflictIgnoringCase';
  const toCompared = (text: string) => (isCaseIgnored ? text.toLowerCase() : text);
  const compared = toCompared(name);
  const isTaken = uniqueNames !== 'no' && has((pet) => toCompared(pet.name) === compared);
  refuseIf(isTaken, 'uniqueNames', 'name must be one that no other animal has');
  const isNotPositive = categories === 'positive' && categoryId < 1n;
  refuseIf(isNotPositive, 'categories', 'categoryId must be positive');
  const isBeyond = typeof categories === 'number' && (categoryId < 1n || categoryId > categories);
  // An animal of the start may have another category, which the store then has too.
  const isRefused = isBeyond && !has((pet) => pet.categoryId === categoryId);
  refuseIf(isRefused, 'categories', `categoryId must be from 1 to ${categories}`);
  const isUnknown = categories === 'known' && store.size > 0 && !has((pet) => pet.categoryId === categoryId);
  refuseIf(isUnknown, 'categories', 'categoryId must be a category of another animal');
  const hasOthers = unknownMembers === 'refuse' && others.length > 0;
  refuseIf(hasOthers, 'unknownMembers', `there are no members ${others.map(describeValue).join(', ')}`);
  return refusals;
}

/** Reads the body of the quickstart's request. @throws ApiError `invalid_request` */
export function parseMessage({ message }: JsonObject): string {
  if (message === undefined) throw invalidRequest('message is required and must be a string.');
  if (!isString(message)) throw invalidRequest(`message must be a string, not ${describeValue(message)}.`);
  return message;
}

/** Returns the limit that a text means, or undefined to refuse it. */
function parseLimit(text: string, source: BehaviourSource): number | undefined {
  if (/^(?:0|-?[1-9]\d*)$/.test(text)) return limitInteger(Number(text), source);
  const choice = classifyLimit(text);
  const limit = replaceText(text, source.behaviour[choice], source);
  if (limit !== undefined) source.noteActed(choice);
  return limit;
}

/** Returns the choice that decides about a limit that is no plain integer. */
function classifyLimit(text: string) {
  if (text === '') return 'limitEmpty';
  if (/^-?0\d+$/.test(text)) return 'limitLeadingZero';
  return /^-?(?:\d+\.\d*|\.\d+)$/.test(text) ? 'limitFraction' : 'limitWord';
}

/** Returns the limit in place of a text that is no plain integer, or undefined to refuse it. */
function replaceText(
  text: string,
  policy: Behaviour['limitWord' | 'limitFraction' | 'limitLeadingZero' | 'limitEmpty'],
  source: BehaviourSource,
): number | undefined {
  if (policy === 'refuse') return undefined;
  if (policy === 'default') return DEFAULT_LIMIT;
  if (policy === 'one') return LEAST_LIMIT;
  if (policy === 'none') return 0;
  return limitInteger(Math.trunc(Number(text)), source);
}

function limitInteger(given: number, source: BehaviourSource): number | undefined {
  if (given < LEAST_LIMIT) return replaceLimit(LEAST_LIMIT, 'limitBelow1', source);
  if (given > LARGEST_LIMIT) return replaceLimit(LARGEST_LIMIT, 'limitAbove100', source);
  return given;
}

/** Returns the limit in place of one that is out of bounds, or undefined to refuse it. */
function replaceLimit(
  nearest: number,
  choice: 'limitBelow1' | 'limitAbove100',
  source: BehaviourSource,
): number | undefined {
  const policy = source.behaviour[choice];
  if (policy === 'refuse') return undefined;
  source.noteActed(choice);
  if (typeof policy === 'number') return policy;
  if (policy === 'none') return 0;
  return policy === 'clamp' ? nearest : DEFAULT_LIMIT;
}

function expectNone(problems: readonly QueryProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const sentences = problems.map(({ sentence }) => sentence);
  throw invalidRequest(`${sentences.join('. ')}.`).ofKind(first.kind);
}
