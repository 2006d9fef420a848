import * as v from 'valibot';
import { type ApiError, describeValue, invalidRequest } from '../../common/http/api-error.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';
import { parseInt64 } from '../../common/json/int64.ts';
import { readMembers } from '../../common/read-members.ts';
import type { Members, Schema } from '../../common/schema.ts';
import { integer, mustBe } from '../../common/schemas.ts';
import { objectOf } from '../session/object-of.ts';
import { isScalar, operation } from '../session/request-members.ts';
import {
  type EffectName,
  effectNames,
  endNames,
  type FaultEffects,
  type FaultEnd,
  faultEffects,
  LARGEST_STATUS,
  switchedEffects,
  toFaultEnd,
  waitNames,
} from './fault-effects.ts';
import { type FaultResponse, isBodiless } from './fault-response.ts';

/** Requests that a fault is for: the ones that match every member. */
export interface FaultMatch {
  /** Id in the path; a number, or decimal digits. @default any */
  readonly petId?: number | bigint | string;
  /** Exact values of query parameters, such as `{ status: 'sold' }`. */
  readonly query?: Readonly<Record<string, string | number>>;
  /** Exact values of headers; their names match in any case. */
  readonly headers?: Readonly<Record<string, string | number>>;
}

/** A fault to add: its requests, and at least one effect. */
export interface FaultOptions extends FaultEffects {
  /** @default every request */
  readonly match?: FaultMatch;
  /** @default any */
  readonly operation?: OperationName;
  /** Number of requests that the fault applies to, except those that the client aborts at once. @default all */
  readonly times?: number;
  /** Share of the matching requests that the fault applies to, from 0 to 1; the same ones for the same seed. @default 1 */
  readonly probability?: number;
}

export interface FaultConfig {
  readonly options: FaultOptions;
  readonly match: FaultMatch;
  readonly end: FaultEnd | undefined;
}

const MOST_REQUESTS = 1_000_000;

const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
const probability = v.pipe(
  v.custom<number>(isShare, mustBe('a number from 0 to 1, such as 0.05')),
  v.metadata({ type: 'number', minimum: 0, maximum: 1 }),
);

/** Least status of a fault without a body, which sends an Error. */
const LEAST_ERROR_STATUS = 400;

const FRAMING =
  '^([Cc]ontent-[Ll]ength|[Tt]ransfer-[Ee]ncoding|[Cc]onnection|[Kk]eep-[Aa]live|[Uu]pgrade|[Tt]railer|[Tt][Ee])$';
const framing = new RegExp(FRAMING, 'i');

// What HTTP can carry. Source: RFC 9110 section 5
const NAME = "^[A-Za-z0-9_!#$%&'*+.^`|~-]+$";
const VALUE = String.raw`^[\t\x20-\x7e\x80-\xff]*$`;
const [headerName, headerValue] = [new RegExp(NAME), new RegExp(VALUE)];

const isHeader = (name: string, value: string) => headerName.test(name) && headerValue.test(value);
const isOfResponse = (name: string, value: string) => isHeader(name, value) && !framing.test(name);

/** Creates the schema of an object whose values are strings or numbers. @param json what the document says of its members */
function values(
  about: string,
  expected: string,
  isOne: (name: string, value: string) => boolean,
  json: object = { additionalProperties: { type: ['string', 'number'] } },
) {
  const isMember = ([name, value]: [string, unknown]) => isScalar(value) && isOne(name, String(value));
  const describe = (issue: v.BaseIssue<unknown>) => {
    const given = issue.input as ExactJson;
    const [name] = (isJsonObject(given) && Object.entries(given).find((one) => !isMember(one))) || [];
    if (name === undefined) return mustBe(expected)(issue);
    return `must be ${expected}, not one with ${isOne(name, '') ? 'this value of' : 'the name'} ${describeValue(name)}`;
  };
  return v.pipe(
    v.custom<Readonly<Record<string, string | number>>>(
      (value) => isJsonObject(value as ExactJson) && Object.entries(value as object).every(isMember),
      describe,
    ),
    v.metadata({ type: 'object', ...json, description: about }),
  );
}

const headersInJson = {
  propertyNames: { pattern: NAME },
  additionalProperties: { oneOf: [{ type: 'number' }, { type: 'string', pattern: VALUE }] },
};

const anObject = v.custom<object>((value) => isJsonObject(value as ExactJson), mustBe('an object'));

const isId = (value: unknown) => isScalar(value) && parseInt64(String(value)) !== undefined;

const matchSchemas = {
  petId: v.optional(
    v.pipe(
      v.custom<number | bigint | string>(isId, mustBe('an id, such as 7 or "7"')),
      v.metadata({
        description: 'Id in the path.',
        oneOf: [
          { type: 'integer', format: 'int64' },
          { type: 'string', pattern: '^(0|-?[1-9]\\d{0,18})$' },
        ],
      }),
    ),
  ),
  query: v.optional(
    values(
      'Exact values of query parameters.',
      'an object of exact values, such as { "status": "sold" }',
      () => true,
    ),
  ),
  headers: v.optional(
    values(
      'Exact values of headers. Names match in any case.',
      'an object of names and exact values, such as { "x-role": "admin" }',
      isHeader,
      headersInJson,
    ),
  ),
};

function toSchema<Name extends EffectName>(name: Name) {
  const { isValid, expected, json, sentence } = faultEffects[name];
  return v.optional(
    v.pipe(
      v.custom<Exclude<FaultEffects[Name], undefined>>(isValid, mustBe(expected)),
      v.metadata({ description: sentence, ...json }),
    ),
  );
}

const HEADERS =
  'an object of names and values, such as { "Retry-After": 30 }, without headers for the framing';

const responseSchemas = {
  status: toSchema('status'),
  headers: v.optional(
    values(
      'Headers of the response, except Content-Length and other framing headers.',
      HEADERS,
      isOfResponse,
      {
        ...headersInJson,
        propertyNames: { ...headersInJson.propertyNames, not: { pattern: FRAMING } },
      },
    ),
  ),
  body: v.optional(
    v.pipe(
      v.unknown(),
      v.description(
        'Any JSON value, or a string, which is sent unchanged. The default Content-Type is application/json. The default status is the success status of the operation.',
      ),
    ),
  ),
  message: toSchema('message'),
};

type EffectSchemas = {
  readonly [Name in EffectName]-?: ReturnType<typeof toSchema<Name>>;
};

const effectSchemas = Object.fromEntries(
  effectNames.map((name) => [name, toSchema(name)]),
) as unknown as EffectSchemas;

const schemas = {
  match: v.optional(anObject),
  operation,
  times: v.optional(
    v.pipe(
      integer(1, MOST_REQUESTS),
      v.description('Number of requests that the fault applies to. Without it, all.'),
    ),
  ),
  probability: v.optional(
    v.pipe(probability, v.description('Share of the matching requests that the fault applies to.')),
  ),
  ...effectSchemas,
};

/** Members of a fault, and of the objects in it. */
export const faultMembers: Members<FaultOptions> = {
  ...schemas,
  match: v.optional(
    v.pipe(
      objectOf<FaultMatch>(
        'Requests that the fault applies to: those that match every member. Without it, all requests.',
        matchSchemas,
      ),
      v.title('FaultMatch'),
    ),
  ),
  response: v.optional(
    v.pipe(
      objectOf<FaultResponse>(faultEffects.response.sentence, responseSchemas),
      v.title('FaultResponse'),
    ),
  ),
};

/** Schema that refuses these members of a fault. */
const without = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, false]));

const effectsAlone = endNames.filter((name) => name !== 'response');

/** Members of the response that a fault can have itself. */
const shortForms = ['status', 'message'] as const;

// What `readFault` checks of several members together.
const together = {
  if: { required: ['match'], properties: { match: { required: ['petId'], properties: { petId: true } } } },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema has this name.
  then: { properties: { operation: { const: 'getPet' } } },
  oneOf: [
    ...effectsAlone.map((name) => ({ required: [name], properties: without(['message']) })),
    { required: ['status'], properties: { status: { minimum: LEAST_ERROR_STATUS } } },
    {
      required: ['response'],
      properties: {
        status: { maximum: LEAST_ERROR_STATUS - 1 },
        response: {
          anyOf: [
            { required: ['body'], properties: { body: true, ...without(['message']) } },
            { required: ['status'], properties: { status: { minimum: LEAST_ERROR_STATUS }, body: false } },
          ],
        },
      },
    },
    ...waitNames.map((wait) => ({
      required: [wait],
      properties: without(effectNames.filter((name) => !waitNames.includes(name))),
    })),
  ],
  not: {
    anyOf: [
      { required: waitNames, properties: Object.fromEntries(waitNames.map((name) => [name, true])) },
      ...shortForms.map((name) => ({
        required: [name, 'response'],
        properties: { [name]: true, response: { required: [name], properties: { [name]: true } } },
      })),
    ],
  },
};

export const newFault: Schema = v.pipe(
  objectOf<FaultOptions>(
    'A simulated failure. It needs an effect, and can have a delay or a hold, and one other effect.',
    faultMembers,
  ),
  v.title('NewFault'),
  v.metadata({ ...together, examples: [{ operation: 'listPets', status: 503, times: 2 }] }),
);

/** Returns where a member belongs that a fault does not have itself. In a filter of requests it may be `path` or `method`. */
function placesOf(name: string): string[] {
  if (Object.hasOwn(schemas, name)) return [];
  if (name === 'path' || name === 'method') return ['operation'];
  const places = Object.entries({ match: matchSchemas, response: responseSchemas });
  return places.flatMap(([place, members]) => (Object.hasOwn(members, name) ? [`${place}.${name}`] : []));
}

/** Checks a fault and resolves its short forms. @throws ApiError `invalid_request`, naming each member that is wrong. */
export function readFault(given: unknown): FaultConfig {
  for (const [name, value] of Object.entries(Object(given))) {
    const places = placesOf(name);
    if (value !== undefined && places.length > 0)
      throw refuseFault(`has no ${name}. Give ${places.join(' or ')} instead`);
  }
  const options = readMembers('The fault', given, schemas);
  const { status, message } = options;
  const match = readMembers("The fault's match", options.match ?? {}, matchSchemas);
  const of = options.operation ?? 'getPet';
  if (match.petId !== undefined && of !== 'getPet')
    throw refuseFault(`has match.petId, and the operation ${of} has no id in its path`);
  const repeated = shortForms.find(
    (name) => options[name] !== undefined && options.response?.[name] !== undefined,
  );
  if (repeated !== undefined) throw refuseFault(`has ${repeated} and response.${repeated}. Give one of them`);
  const isAnswered = [status, message, options.response].some((one) => one !== undefined);
  const response = isAnswered ? readResponse({ status, message, ...options.response }) : undefined;
  const effects: FaultEffects = response === undefined ? options : { ...options, response };
  const findGiven = (names: readonly EffectName[]) => names.filter((one) => effects[one] !== undefined);
  const ends = findGiven(endNames);
  if (ends.length > 1) {
    const written = ends.map((end) => (end in options ? end : 'status'));
    throw refuseFault(`has ${written.join(' and ')}: only one of them can end a request`);
  }
  const waits = findGiven(waitNames);
  if (waits.length > 1)
    throw refuseFault(`has ${waits.join(' and ')}: only one of them can make a request wait`);
  const [name] = ends;
  if (name === undefined && waits.length === 0)
    throw refuseFault(`needs one of ${switchedEffects.join(', ')}`);
  return { options, match, end: name && toFaultEnd(name, effects[name] as never) };
}

/** Checks the response of a fault. @throws ApiError `invalid_request`, naming what is wrong */
function readResponse(given: object): FaultResponse {
  const response = readMembers("The fault's response", given, responseSchemas);
  const { status, body } = response;
  if (status === undefined && body === undefined)
    throw refuseFault('has a response or a message, and neither a status nor a body');
  if (status !== undefined && status < LEAST_ERROR_STATUS && body === undefined) {
    const range = `from ${LEAST_ERROR_STATUS} to ${LARGEST_STATUS}`;
    throw refuseFault(`has the status ${status}: without a body it must be ${range}`);
  }
  if (isBodiless(status) && body !== '')
    throw refuseFault(`has the status ${status}, whose response has no body. Give body: ''`);
  return response;
}

/** Creates the error of a fault that is wrong. @param why To be read after "The fault". */
function refuseFault(why: string): ApiError {
  return invalidRequest(`The fault ${why}.`);
}
