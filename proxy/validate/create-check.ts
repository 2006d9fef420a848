import { matchPath } from '@stoplight/prism-http/dist/router/matchPath.js';
import * as prism from '@stoplight/prism-http/dist/validator/index.js';
import type { Headers } from '../../common/http/headers.ts';
import { isPreflight } from '../../common/http/request-headers.ts';
import { type AnimalFacts, readAnimalFacts } from '../../common/json/animal-facts.ts';
import type { Contract } from '../../common/json/contract.ts';
import {
  type CheckRequest,
  type ExchangeRequest,
  type ExchangeResponse,
  type FoundViolation,
  LOWEST_ERROR_STATUS,
  type ResponseCheck,
} from '../exchange.ts';
import { applyRules, MAX_VIOLATIONS } from './apply-rules.ts';
import { createFindInRequest, createFindInResponse, type FindReceived } from './find-received.ts';
import {
  type BodySchema,
  findUnknownMembers,
  findUnknownParameters,
  type UnknownName,
} from './find-unknown-names.ts';
import { findUnknownPath, type KnownPath } from './find-unknown-path.ts';
import { findWrongHeaders } from './find-wrong-headers.ts';
import { findWrongParameters, type WrongParameter } from './find-wrong-parameters.ts';
import type { OwnRule } from './own-rules.ts';
import { type CheckedBody, checkedInt64, readBody, toCheckedText } from './read-body.ts';
import { type Diagnostic, readDiagnostic, type Validated } from './read-diagnostic.ts';
import { type Operation, readOperations } from './read-operations.ts';

/** Severity of an error; all others are warnings. Source: DiagnosticSeverity of @stoplight/types */
const ERROR = 0;

/** Lowest status of a service that failed. Source: RFC 9110 section 15.6 */
const LOWEST_FAILURE_STATUS = 500;

/** Creates the check with Prism's reader of OpenAPI, router and validators, and with our rules for one exchange. */
export async function createCheck(contract: Contract): Promise<CheckRequest<FoundViolation>> {
  const resources = await readOperations(contract);
  const facts = readAnimalFacts(contract);
  widenInt64(resources);
  for (const { request } of resources) dropEmptyLists(request);
  const ordered = resources.toSorted((one, other) => rankOf(one).localeCompare(rankOf(other)));
  const operations = ordered.map((resource) => createOperationCheck(resource, facts));
  const known = listPaths(resources);
  return (request) => {
    const path = request.path.split('/').map(toCheckedText).join('/');
    // HEAD is GET without a body. Source: RFC 9110 section 9.3.2
    const methods = request.method === 'HEAD' ? ['head', 'get'] : [request.method.toLowerCase()];
    const operation = operations.find(({ resource }) => {
      // Prism's router takes an empty segment for a parameter.
      if (!methods.includes(resource.method) || !path.startsWith('/') || path.endsWith('/')) return false;
      const match = matchPath(path, resource.path);
      return match._tag === 'Right' && match.right !== 'no-match';
    });
    if (operation !== undefined) return operation.check(request, path);
    const violations = isPreflight(request) ? [] : [describeUnknownPath(request, known)];
    const checkResponse = () => ({ violations: [], brokenRules: [], answered: undefined });
    return { operationId: undefined, violations, sent: undefined, checkResponse };
  };
}

/**
 * Returns the rank of an operation among those that match a path, as text: segment by segment, a fixed one before one that is in part a
 * parameter, and before one that is a parameter. HEAD comes before GET. Source: OAS 3.0.3, Paths Object
 */
function rankOf({ path, method }: Operation): string {
  const segments = path.split('/').map((segment) => {
    if (!segment.includes('{')) return '0';
    return /^\{[^{}]*\}$/.test(segment) ? '2' : '1';
  });
  return [...segments, method === 'head' ? '0' : '1'].join('');
}

function listPaths(resources: readonly Operation[]): KnownPath[] {
  const byPath = Map.groupBy(resources, ({ path }) => path);
  return [...byPath].map(([template, operations]) => ({
    template,
    methods: operations.map(({ method }) => method.toUpperCase()),
  }));
}

function describeUnknownPath(request: ExchangeRequest, known: readonly KnownPath[]): FoundViolation {
  const received = { text: `${request.method} ${request.target}` };
  return { ...ofNoValue, ...findUnknownPath(request, known), received };
}

function createOperationCheck(resource: Operation, facts: AnimalFacts) {
  const { iid, path: template, request: { body: requestBody, query = [] } = {}, responses } = resource;
  const name = iid ?? template;
  const parameters = query.map((parameter) => parameter.name);
  const requestSchema = schemaOf(requestBody);
  const takesBody = requestBody !== undefined;
  const statuses = responses.map(({ code }) => code).join(', ');
  const responseSchemas = new Map(responses.map((response) => [response.code, schemaOf(response)]));
  /** A range such as 4XX, or the default, documents a status too. Source: OAS 3.0.3, Responses Object */
  const isDocumented = (status: number) =>
    [`${status}`, `${status}`.replace(/..$/, 'XX'), 'default'].some((code) => responseSchemas.has(code));
  const errorStatus = responses
    .map(({ code }) => Number(code))
    .find((status) => status >= LOWEST_ERROR_STATUS);

  const checkRequest = (request: ExchangeRequest, path: string, body: CheckedBody) => {
    const given = new URLSearchParams(request.query);
    const url = { path, query: toPrismQuery(given, parameters) };
    const method = resource.method as 'get';
    const element = { url, method, headers: toPrismHeaders(request), body: body.value };
    const validate = () => [
      prism.validateSecurity({ resource, element }),
      prism.validateInput({ resource, element }),
    ];
    const find = createFindInRequest(request, body, template);
    const unknown = [
      ...findUnknownParameters(name, given, parameters),
      ...findUnknownMembers(name, body.value, requestSchema, ['request', 'body']),
    ];
    const byPrism = toViolations({ side: 'request', body, find }, validate);
    const wrongHeaders = findWrongHeaders(request, takesBody);
    const causes = byPrism.filter((one) => !wrongHeaders.some(({ isCauseOf }) => isCauseOf(one)));
    const isReported = ({ location }: WrongParameter) =>
      causes.some((one) => one.location.join('.') === location.join('.'));
    const wrongParameters = findWrongParameters(resource, given, request.path);
    return [
      ...wrongHeaders.map(({ isCauseOf: _, ...one }) => ({ ...one, ...ofHeader })),
      ...causes,
      ...wrongParameters.filter((one) => !isReported(one)).map((one) => toError(one, find)),
      ...unknown.map((one) => toWarning(one, find)),
    ];
  };

  const checkResponse = (response: ExchangeResponse, body: CheckedBody): FoundViolation[] => {
    const { status, headers } = response;
    const element = { statusCode: status, headers, body: body.value };
    const validate = () => [prism.validateOutput({ resource, element })];
    const find = createFindInResponse(response, body);
    const context = { side: 'response', body, find } as const;
    const schema = responseSchemas.get(`${status}`) ?? {};
    const unknown = findUnknownMembers(name, body.value, schema, ['response', 'body']);
    return [
      ...toViolations(context, validate).map((one) => clarifyStatus(one, response)),
      ...checkErrorBody(response, context),
      ...unknown.map((one) => toWarning(one, find)),
    ];
  };

  /** Prism only warns of any 4xx and 5xx that the contract does not document. */
  const clarifyStatus = (violation: FoundViolation, response: ExchangeResponse): FoundViolation => {
    if (violation.rule !== 'undocumented-status') return violation;
    const message = `The status is not among the statuses of ${name}: ${statuses}`;
    if (response.status < LOWEST_FAILURE_STATUS) return { ...violation, message };
    return {
      ...violation,
      severity: 'error',
      rule: 'server-error' satisfies OwnRule,
      message: `The service failed. ${message}`,
    };
  };

  /** Prism checks only the bodies of documented statuses, and the specification has one Error for all. */
  const checkErrorBody = (response: ExchangeResponse, context: Context): FoundViolation[] => {
    const { status, headers } = response;
    const { body, find } = context;
    const isReported = isDocumented(status) || body.problems !== undefined;
    if (isReported || status < LOWEST_ERROR_STATUS || errorStatus === undefined) return [];
    const element = { statusCode: errorStatus, headers, body: body.value };
    const found = toViolations(context, () => [prism.validateOutput({ resource, element })]);
    const problem = found.find(({ severity }) => severity === 'error');
    if (problem === undefined) return [];
    const message = `The body of a ${status} must be an Error. ${problem.message}`;
    const rule = 'error-body' satisfies OwnRule;
    const parts = { ...problem, rule, message, expected: undefined };
    if (problem.location[1] === 'body') return [parts];
    // The media type is wrong, and the message has it. The body shows who answered.
    const location = ['response', 'body'];
    return [{ ...parts, location, received: find(location, rule) }];
  };

  return {
    resource,
    check(request: ExchangeRequest, path: string) {
      const body = readBody(request);
      return {
        operationId: iid,
        violations: checkRequest(request, path, body),
        sent: body.json?.exact,
        checkResponse: (response: ExchangeResponse): ResponseCheck<FoundViolation> => {
          const answered = readBody(response);
          // A fault of the mock breaks the contract on purpose.
          if (response.isMadeByFault)
            return { violations: [], brokenRules: [], answered: answered.json?.exact };
          const requestRead = { message: request, body };
          const responseRead = { message: response, body: answered };
          return {
            violations: checkResponse(response, answered),
            brokenRules: applyRules({ operationId: iid, facts }, requestRead, responseRead),
            answered: answered.json?.exact,
          };
        },
      };
    },
  };
}

function schemaOf({ contents = [] }: { readonly contents?: readonly object[] } = {}): BodySchema {
  const [{ schema = {} } = {}]: readonly { readonly schema?: BodySchema }[] = contents;
  return flatten(schema);
}

/** Maximum number of levels of a schema whose `allOf` is read. */
const MOST_LEVELS = 20;

/** Returns a schema with the members of all parts of its `allOf`. */
function flatten({ allOf = [], ...own }: BodySchema, depth = 0): BodySchema {
  if (depth >= MOST_LEVELS) return own;
  const parts = [...allOf.map((part) => flatten(part, depth + 1)), own];
  const named = parts.flatMap(({ properties }) => (properties === undefined ? [] : [properties]));
  const items = parts.find((part) => part.items !== undefined)?.items;
  return {
    ...(named.length > 0 && { properties: Object.assign({}, ...named) }),
    ...(items !== undefined && { items: flatten(items, depth + 1) }),
  };
}

/** Prism would take a parameter in another case for the one of the contract. */
function toPrismQuery(given: URLSearchParams, parameters: readonly string[]) {
  const query: Record<string, string | string[]> = {};
  for (const name of given.size === 0 ? [] : parameters) {
    const [first, ...others] = given.getAll(name).map(toCheckedText);
    if (first !== undefined) query[name] = others.length === 0 ? first : [first, ...others];
  }
  return query;
}

function toPrismHeaders({ headers, body }: ExchangeRequest): Headers {
  const { authorization, 'transfer-encoding': coding } = headers;
  return {
    ...headers,
    // Prism requires `Bearer` in this case; in HTTP any case is valid. Source: RFC 9110 section 11.1
    ...(authorization !== undefined && { authorization: authorization.replace(/^bearer +/i, 'Bearer ') }),
    // Prism checks the media type only if there is a length, and chunks have none.
    ...(coding !== undefined && body !== undefined && { 'content-length': String(body.length) }),
  };
}

/** One side of an exchange, from whose diagnostics violations are made. */
interface Context {
  readonly side: 'request' | 'response';
  readonly body: CheckedBody;
  readonly find: FindReceived;
}

/** An unreadable body is one violation, and what Prism reports about it follows from that. */
function toViolations({ side, body, find }: Context, validate: () => readonly Validated[]): FoundViolation[] {
  const violations = diagnose(validate)
    .slice(0, MAX_VIOLATIONS)
    .map((diagnostic): FoundViolation => {
      const { path = [], severity } = diagnostic;
      const { rule, message, expected, missing } = readDiagnostic(diagnostic);
      const location = [side, ...path.map(String)];
      const level = severity === ERROR ? 'error' : 'warning';
      const received = missing === undefined ? find(location, rule) : undefined;
      return { location, severity: level, rule, message, received, expected, missing };
    });
  if (body.problems === undefined) return violations;
  const others = violations.filter(({ location, rule }) => location[1] !== 'body' && rule !== 'required');
  const location = [side, 'body'];
  const rule = 'json' satisfies OwnRule;
  const own = { ...ofNoValue, location, severity: 'error', rule, received: find(location, rule) } as const;
  return [...body.problems.map((message) => ({ ...own, message })), ...others];
}

/** What a violation has whose rule requires no value and no member. */
const ofNoValue = { expected: undefined, missing: undefined } as const;

/** What a violation about a header has: its value may be a key, so it is not shown. */
const ofHeader = { ...ofNoValue, severity: 'error', received: undefined } as const;

function toError(one: WrongParameter, find: FindReceived): FoundViolation {
  return { ...ofNoValue, ...one, severity: 'error', received: find(one.location, one.rule) };
}

function toWarning(name: UnknownName, find: FindReceived): FoundViolation {
  return { ...ofNoValue, ...name, severity: 'warning', received: find(name.location, name.rule) };
}

/** Prism throws at some paths and media types that cannot be decoded. */
function diagnose(validate: () => readonly Validated[]): readonly Diagnostic[] {
  try {
    return validate().flatMap((validated) => (validated._tag === 'Left' ? validated.left : []));
  } catch (error) {
    const message = `It cannot be checked: ${(error as Error).message}`;
    return [{ severity: ERROR, code: 'unreadable' satisfies OwnRule, message }];
  }
}

/** Prism finds nothing in an empty list of parameters, and needs about 8 of the 54 µs of a POST's check for that. */
function dropEmptyLists(request: Operation['request']): void {
  if (request === undefined) return;
  for (const [name, list] of Object.entries(request)) {
    if (Array.isArray(list) && list.length === 0) Object.assign(request, { [name]: undefined });
  }
}

/** Prism limits int64 to exact doubles; this sets the limits of int64 for checked numbers. */
function widenInt64(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('format' in node && node.format === 'int64') Object.assign(node, checkedInt64);
  for (const child of Object.values(node)) widenInt64(child);
}
