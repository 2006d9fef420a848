import { describeValue, invalidRequest } from '../../common/http/api-error.ts';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { isInt64 } from '../../common/json/int64.ts';
import { type NewPet, type PetStatus, petStatuses } from '../../common/json/pet.ts';
import { inWords } from '../../common/schemas.ts';
import type { ListFilter } from './pet-store.ts';

/** Policies for a limit outside its bounds: refuse it, or take the nearest valid one. */
export const limitPolicies = ['reject', 'clamp'] as const;

export type LimitPolicy = (typeof limitPolicies)[number];

const LEAST_LIMIT = 1;
export const LARGEST_LIMIT = 100;
const DEFAULT_LIMIT = 20;

const A_STATUS = inWords(petStatuses);
const AN_INT64 = 'a 64-bit integer';
const A_LIMIT = `an integer from ${LEAST_LIMIT} to ${LARGEST_LIMIT}`;

/** Types of the fields. Source: openapi.yaml#/components/schemas */
const fields = {
  id: [AN_INT64, isInt64],
  name: ['a string', isString],
  categoryId: [AN_INT64, isInt64],
  status: [A_STATUS, (value) => parseStatus(value) !== undefined],
  message: ['a string', isString],
} as const satisfies Record<string, [expected: string, isValid: (value: ExactJson) => boolean]>;

/** A URLSearchParams would require the DOM or Node in the types of the package. */
export interface Query {
  getAll(name: string): readonly string[];
}

/** Reads the query of listPets. @throws ApiError `invalid_request`, naming each parameter that is wrong */
export function parseListQuery(query: Query, limitPolicy: LimitPolicy): ListFilter {
  const problems: string[] = [];
  const read = <T>(name: string, expected: string, parse: (text: string) => T | undefined) => {
    const [text, ...more] = query.getAll(name);
    if (text === undefined) return undefined;
    const value = more.length === 0 ? parse(text) : undefined;
    const given = more.length === 0 ? describeValue(text) : `${more.length + 1} values`;
    if (value === undefined) problems.push(`${name} must be ${expected}, not ${given}`);
    return value;
  };
  const limit = read('limit', A_LIMIT, (text) => parseLimit(text, limitPolicy));
  const status = read('status', A_STATUS, parseStatus);
  expectNone(problems);
  return { limit: limit ?? DEFAULT_LIMIT, status };
}

/** Reads the body of createPet, without unknown properties. @throws ApiError `invalid_request`, naming each wrong field */
export function parseNewPet(body: JsonObject): NewPet {
  expectNone(findProblems(body, ['name', 'categoryId', 'status']));
  const { name, categoryId, status } = body as unknown as NewPet;
  return status === undefined ? { name, categoryId } : { name, categoryId, status };
}

/** Reads the body of the quickstart's request. @throws ApiError `invalid_request` */
export function parseMessage(body: JsonObject): string {
  expectNone(findProblems(body, ['message']));
  return body.message as string;
}

/** Returns a sentence for each field that is wrong; a status may be missing. */
export function findProblems(body: JsonObject, names: readonly (keyof typeof fields)[]): string[] {
  return names.flatMap((name) => {
    const [expected, isValid] = fields[name];
    const value = body[name];
    if (value !== undefined) {
      return isValid(value) ? [] : [`${name} must be ${expected}, not ${describeValue(value)}`];
    }
    return name === 'status' ? [] : [`${name} is required and must be ${expected}`];
  });
}

function parseLimit(text: string, policy: LimitPolicy): number | undefined {
  if (!/^(?:0|-?[1-9]\d*)$/.test(text)) return undefined;
  const nearest = Math.min(Math.max(Number(text), LEAST_LIMIT), LARGEST_LIMIT);
  return policy === 'clamp' || nearest === Number(text) ? nearest : undefined;
}

function parseStatus(text: ExactJson): PetStatus | undefined {
  return petStatuses.find((status) => status === text);
}

function isString(value: ExactJson): value is string {
  return typeof value === 'string';
}

function expectNone(problems: readonly string[]): void {
  if (problems.length > 0) throw invalidRequest(`${problems.join('. ')}.`);
}
