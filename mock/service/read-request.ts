import { ApiError, describeValue, invalidRequest, type MemberProblem } from '../../common/http/api-error.ts';
import type { ErrorKind } from '../../common/http/error-kinds.ts';
import { hasManyValues, MOST_VALUES } from '../../common/json/count-values.ts';
import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
} from '../../common/json/exact-json.ts';
import type { NewPet, Pet } from '../../common/json/pet.ts';
import type { Member, Parameter, ServiceContract } from './contract.ts';
import { checkJsonType, invalidMembers } from './refusals.ts';
import type { Ask, Query } from './types.ts';

/**
 * Reads a body that must be a JSON object. Source: specification, POST /pets and the quickstart; RFC 8259
 * @throws ApiError `invalid_request` for another media type, for bytes that are not UTF-8 or not JSON, for any other JSON
 * value, and for too many values.
 */
export function readObject({ headers, body }: Ask): JsonObject {
  if (body instanceof Error) throw body;
  const error = checkJsonType(headers['content-type']);
  if (error !== undefined) throw error.ofKind('mediaType');
  if (body.length === 0) throw invalidRequest('The body is empty. Send a JSON object.');
  const value = parseBody(body);
  if (isJsonObject(value)) return value;
  throw invalidRequest(`The body must be a JSON object, not ${describeJson(value)}.`).ofKind('noObject');
}

/** Describes a value of JSON. A number that is no bigint has a fraction or very many digits. Rounded, it could look like an integer. */
function describeJson(value: ExactJson): string {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    return 'a number far too large';
  return Number.isInteger(value) ? 'a number with a fraction' : describeValue(value);
}

/** Parses a body as JSON. @throws ApiError `invalid_request` */
export function parseBody(body: Uint8Array): ExactJson {
  if (hasManyValues(body)) throw invalidRequest(`The body holds more than ${MOST_VALUES} JSON values.`);
  try {
    return parseExactJson(body);
  } catch (error) {
    const message = `The body could not be read as JSON: ${(error as Error).message}.`;
    throw invalidRequest(message).ofKind('malformed');
  }
}

/** Returns a problem for each of these members that is wrong or missing in a value. */
export function findProblems(value: object, members: readonly Member[]): MemberProblem[] {
  const values = value as Readonly<Record<string, ExactJson | undefined>>;
  return members.flatMap(({ name, expected, isRequired, isValid }): MemberProblem[] => {
    const given = values[name];
    if (given === undefined) {
      const message = `${name} is required and must be ${expected}.`;
      return isRequired ? [{ member: name, message }] : [];
    }
    if (isValid(given)) return [];
    const message = `${name} must be ${expected}, not ${describeJson(given)}.`;
    return [{ member: name, message }];
  });
}

/** Returns those of the members that a value has, in the order of the contract. */
export function pickMembers(value: object, members: readonly Member[]): Partial<Pet> {
  const values = value as Readonly<Record<string, ExactJson | undefined>>;
  const present = members.filter(({ name }) => values[name] !== undefined);
  return Object.fromEntries(present.map(({ name }) => [name, values[name]]));
}

/** Reads the body of createPet, without further members. @throws ApiError `invalid_request`, naming each member that is wrong */
export function readNewPet(body: JsonObject, { members }: ServiceContract): NewPet {
  const given = members.filter(({ isGiven }) => isGiven);
  const problems = findProblems(body, given);
  const [first] = problems;
  if (first !== undefined) {
    const isMissing = body[first.member] === undefined;
    throw invalidMembers(problems).ofKind(`${isMissing ? 'missing' : 'member'} ${first.member}`);
  }
  return pickMembers(body, given) as NewPet;
}

/** Reads the body of the quickstart's request. @throws ApiError `invalid_request` */
export function readMessage({ message }: JsonObject): string {
  if (message === undefined) throw invalidRequest('message is required and must be a string.');
  if (typeof message === 'string') return message;
  throw invalidRequest(`message must be a string, not ${describeJson(message)}.`);
}

interface ListQuery {
  readonly limit: number;
  readonly isWanted: (pet: Pet) => boolean;
}

/** Reads the query of listPets. @throws ApiError `invalid_request`, naming each parameter that is wrong */
export function readListQuery(query: Query, { limit, filters }: ServiceContract): ListQuery {
  const problems: { readonly kind: ErrorKind; readonly sentence: string }[] = [];
  const read = ({ name, expected, isValid, read: readText }: Parameter, kind: ErrorKind) => {
    const texts = query.getAll(name);
    if (texts.length === 0) return undefined;
    const value = texts.length === 1 ? readText(texts[0] ?? '') : null;
    if (isValid(value)) return value;
    const given = texts.length === 1 ? describeValue(texts[0] ?? '') : `${texts.length} values`;
    problems.push({ kind, sentence: `${name} must be ${expected}, not ${given}` });
    return undefined;
  };
  const most = Number(read(limit, 'limit') ?? limit.usual);
  const wanted = filters.flatMap((filter) => {
    const value = read(filter, `filter ${filter.name}`);
    return value === undefined ? [] : [[filter.name as keyof Pet, value] as const];
  });
  const [first] = problems;
  if (first === undefined)
    return { limit: most, isWanted: (pet) => wanted.every(([name, value]) => pet[name] === value) };
  const sentences = problems.map(({ sentence }) => sentence);
  throw new ApiError('invalid_request', `${sentences.join('. ')}.`).ofKind(first.kind);
}
