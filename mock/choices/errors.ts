import { ApiError, describeValue, invalidRequest } from '../../common/http/api-error.ts';
import type { ErrorKind } from '../../common/http/error-kinds.ts';
import type { ReplyError } from '../../common/http/reply.ts';
import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';
import { printSuggestion } from '../../common/text/suggest.ts';
import { readPetId } from '../service/answer.ts';
import type { Hook } from '../service/types.ts';
import { type Choice, ERRORS, type FreeValues, GET } from './choice.ts';
import { type FurtherMembers, freeMembers, inventMembers } from './further-members.ts';

export const refusedMember = {
  about: 'Member that the message of a 400 is about.',
  silentAt: ERRORS,
  values: [
    { value: 'named', does: 'names it' },
    {
      value: 'absent',
      does: 'sends a general message',
      reply: (answer) => {
        const { error } = answer;
        if (!/^(?:missing |member |unknownMember)/.test(error?.kind ?? '') || answer.status !== 400)
          return answer;
        // The log keeps the names.
        const hint = error?.message;
        throw new ApiError('invalid_request', 'The request is invalid.', {}, hint).ofKind(error?.kind);
      },
    },
  ],
} as const satisfies Choice;

export const malformedId = {
  about: 'A petId that is not an int64, such as `abc`.',
  silentAt: GET,
  values: [
    { value: 404, does: 'returns 404' },
    {
      value: 400,
      does: 'returns 400',
      reply: (answer, { path }) => {
        if (answer.error?.kind !== 'petId') return answer;
        const message = `petId must be a 64-bit integer, not ${describeValue(readPetId(path))}.`;
        throw invalidRequest(message).ofKind('petId');
      },
    },
  ],
} as const satisfies Choice;

/**
 * The code of Errors for each status, or for each kind of refusal with a status, such as
 * `{ "404": "NO_PET", "404 path": "NO_ROUTE" }`. A kind without a code has that of its status, and a status without one the usual code.
 */
export type ErrorCodes = Readonly<Record<string, string>>;

const changingCodes = (toCode: (error: ReplyError, status: number) => string): Hook => ({
  reply: (answer) => {
    const { error, status } = answer;
    return error === undefined ? answer : { ...answer, error: { ...error, code: toCode(error, status) } };
  },
});

/** Code that a deployment may have made up, without what could be a sentence or an address. */
const CODE = '^[A-Za-z0-9_.:-]{1,64}$';

/** The kinds of refusals with each status. */
const kinds = {
  400: ['limit', 'unknownParameter', 'petId', 'mediaType', 'malformed', 'noObject', 'unknownMember'],
  401: ['missing', 'scheme', 'invalid'],
  404: ['path', 'petId', 'animal'],
} as const satisfies Readonly<Record<number, readonly ErrorKind[]>>;

const knownKinds = Object.entries(kinds).flatMap(([status, list]) => list.map((kind) => `${status} ${kind}`));

/** Pattern of a status with one of its kinds, such as `404 animal`. */
export const KIND_PATTERN =
  `400 (?:${kinds[400].join('|')}|(?:filter|missing|member) \\w{1,40})` +
  `|401 (?:${kinds[401].join('|')})|404 (?:${kinds[404].join('|')})`;

/** Status of an Error, or a status and a kind of refusals. */
const KEY = `^(?:[45][0-9]{2}|${KIND_PATTERN})$`;

/** Returns whether a code can be a value: it has at most 64 letters, digits, and the signs `_`, `-`, `.` and `:`. */
export function isCode(code: unknown): code is string {
  return typeof code === 'string' && new RegExp(CODE).test(code);
}

const freeCodes: FreeValues<ErrorCodes> = {
  expected:
    'an object with a code of up to 64 letters, digits and _ - . : for each status, or for a status and a kind of refusals',
  examples: [{ '404': 'NO_PET' }, { '404 animal': 'NO_PET' }],
  schema: {
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: KEY },
    additionalProperties: { type: 'string', pattern: CODE },
  },
  has: (value): value is ErrorCodes => {
    if (!isJsonObject(value as ExactJson)) return false;
    const entries = Object.entries(value as object);
    return entries.length > 0 && entries.every(([key, code]) => new RegExp(KEY).test(key) && isCode(code));
  },
  findHint: (value) => {
    const wrong = Object.keys(Object(value)).find((key) => !new RegExp(KEY).test(key));
    return wrong === undefined ? '' : printSuggestion(wrong, knownKinds);
  },
  isSameLearned: hasSameCodes,
  effectOf: (codes) => ({
    does: `sends ${Object.entries(codes)
      .map(([key, code]) => `${code} with ${key}`)
      .join(', ')}`,
    ...changingCodes(({ code, kind }, status) => codes[`${status} ${kind}`] ?? codes[status] ?? code),
  }),
};

export const codeStyles = {
  snake: (code: string) => code,
  upper: (code: string) => code.toUpperCase(),
  dotted: (code: string) => code.replaceAll('_', '.'),
} as const;

const styling = (style: keyof typeof codeStyles) => changingCodes(({ code }) => codeStyles[style](code));

export const errorCodes = {
  about: 'Codes of Errors, in a style or for each status or kind of refusal.',
  silentAt: ERRORS,
  values: [
    { value: 'snake', does: 'sends not_found' },
    { value: 'upper', does: 'sends NOT_FOUND', ...styling('upper') },
    { value: 'dotted', does: 'sends not.found', ...styling('dotted') },
  ],
  free: freeCodes,
} as const satisfies Choice<ErrorCodes>;

/** Returns whether two deployments may send the same codes, as far as both were seen: a run may not see each status and kind. */
function hasSameCodes(one: ErrorCodes, other: ErrorCodes): boolean {
  const isCompatible = (codes: ErrorCodes, [key, code]: [string, string]) => {
    const [status = '', kind] = key.split(/ (.*)/);
    const own = codes[key];
    if (own !== undefined) return own === code;
    if (kind !== undefined) return true;
    // The code of a whole status was seen for some kinds of refusals.
    const ofKinds = Object.entries(codes).filter(([name]) => name.startsWith(`${status} `));
    return ofKinds.length === 0 || ofKinds.some(([, ofKind]) => ofKind === code);
  };
  const entriesOf = (codes: ErrorCodes) => Object.entries(codes);
  return (
    entriesOf(one).every((entry) => isCompatible(other, entry)) &&
    entriesOf(other).every((entry) => isCompatible(one, entry))
  );
}

const addingMembers = (members: FurtherMembers): Hook => ({
  reply: (answer, { basePath }, { now }) => {
    if (answer.error === undefined) return answer;
    const source = { number: BigInt(answer.status), time: now, path: basePath };
    return { ...answer, errorMembers: inventMembers(members, source) };
  },
});

export const errorMembers = {
  about: 'Further members of Errors.',
  silentAt: ERRORS,
  values: [
    { value: 'none', does: 'adds none' },
    {
      value: 'some',
      does: 'adds some',
      reply: (answer, _ask, { createId }) =>
        answer.error === undefined
          ? answer
          : { ...answer, errorMembers: { details: [], traceId: createId() } },
    },
  ],
  free: freeMembers({ timestamp: 'string', path: 'string' }, addingMembers),
} as const satisfies Choice<FurtherMembers>;
