import { matchPath } from '@stoplight/prism-http/dist/router/matchPath.js';
import * as prism from '@stoplight/prism-http/dist/validator/index.js';
import { isPreflight } from '../../common/http/request-headers.ts';
import {
  type CheckRequest,
  type ExchangeRequest,
  type ExchangeResponse,
  type Headers,
  isMadeByFault,
  LOWEST_ERROR_STATUS,
  type Violation,
} from '../exchange.ts';
import { type BodySchema, findUnknownMembers, findUnknownParameters } from './find-unknown-names.ts';
import { type CheckedBody, checkedInt64, readBody, toCheckedText } from './read-body.ts';
import { type Operation, readOperations } from './read-operations.ts';

/** Severity of an error; all others are warnings. Source: DiagnosticSeverity of @stoplight/types */
const ERROR = 0;

/** Lowest status of a service that failed. Source: RFC 9110 section 15.6 */
const LOWEST_FAILURE_STATUS = 500;

export const MAX_VIOLATIONS = 1_000;

/** Creates the check with Prism's reader of OpenAPI, router and validators. */
export async function createCheck(contractFile: string): Promise<CheckRequest> {
  const resources = await readOperations(contractFile);
  widenInt64(resources);
  const operations = resources.map(createOperationCheck);
  return (request) => {
    const path = request.path.split('/').map(toCheckedText).join('/');
    // HEAD is GET without a body. Source: RFC 9110 section 9.3.2
    const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
    const operation = operations.find(({ resource }) => {
      if (resource.method !== method || !path.startsWith('/')) return false;
      const match = matchPath(path, resource.path);
      return match._tag === 'Right' && match.right !== 'no-match';
    });
    if (operation === undefined) {
      const message = `The contract has no ${request.method} ${request.target}`;
      const unknown = { location: ['request'], severity: 'warning', code: 'unknown-route', message } as const;
      const violations = isPreflight(request) ? [] : [unknown];
      return { operationId: undefined, violations, checkResponse: () => [] };
    }
    const { resource, checkRequest, checkResponse } = operation;
    return { operationId: resource.iid, violations: checkRequest(request, path), checkResponse };
  };
}

function createOperationCheck(resource: Operation) {
  const { iid, path: template, request: { body: requestBody, query = [] } = {}, responses } = resource;
  const name = iid ?? template;
  const parameters = query.map((parameter) => parameter.name);
  const requestSchema = schemaOf(requestBody);
  const statuses = responses.map(({ code }) => code).join(', ');
  /** Prism has neither a code nor all of the facts for these. */
  const clarify = ({ code, message }: Diagnostic, response?: ExchangeResponse): Clarified => {
    if (message.startsWith('Invalid security scheme'))
      return { code: `${code}`, message: 'The request has no "Authorization: Bearer <key>"' };
    if (response !== undefined && message.startsWith('Unable to match the returned status'))
      return clarifyStatus(response);
    const isMediaType = message.startsWith('The received media type');
    return { code: isMediaType ? 'media-type' : String(code ?? 'unnamed'), message };
  };
  /** Prism only warns of any 4xx and 5xx that the contract does not document. */
  const clarifyStatus = (response: ExchangeResponse): Clarified => {
    const { status } = response;
    const message = `${status} is not among the statuses of ${name}: ${statuses}`;
    if (status < LOWEST_FAILURE_STATUS || isMadeByFault(response))
      return { code: 'undocumented-status', message };
    return { code: 'server-error', severity: 'error', message: `The service failed: ${message}` };
  };
  const responseSchemas = new Map(responses.map((response) => [response.code, schemaOf(response)]));
  const errorStatus = responses
    .map(({ code }) => Number(code))
    .find((status) => status >= LOWEST_ERROR_STATUS);
  /** Prism checks only the bodies of documented statuses, and the specification has one Error for all. */
  const checkErrorBody = (response: ExchangeResponse, body: CheckedBody): Violation[] => {
    const { status, headers } = response;
    const isReported = responseSchemas.has(`${status}`) || body.problems !== undefined;
    if (isReported || status < LOWEST_ERROR_STATUS || errorStatus === undefined || isMadeByFault(response))
      return [];
    const element = { statusCode: errorStatus, headers, body: body.value };
    const validate = () => [prism.validateOutput({ resource, element })];
    const found = toViolations('response', body, validate, clarify);
    const problem = found.find(({ severity }) => severity === 'error');
    if (problem === undefined) return [];
    const message = `The body of a ${status} must be an Error. ${problem.message}`;
    return [{ location: ['response', 'body'], severity: 'error', code: 'error-body', message }];
  };
  return {
    resource,
    checkRequest(request: ExchangeRequest, path: string): Violation[] {
      const body = readBody(request);
      const given = new URLSearchParams(request.query);
      const url = { path, query: toPrismQuery(given, parameters) };
      const validate = () => {
        const method = resource.method as 'get';
        const element = { url, method, headers: toPrismHeaders(request), body: body.value };
        return [prism.validateSecurity({ resource, element }), prism.validateInput({ resource, element })];
      };
      return [
        ...toViolations('request', body, validate, clarify),
        ...findUnknownParameters(name, given, parameters),
        ...findUnknownMembers(name, body.value, requestSchema, ['request', 'body']),
      ];
    },
    checkResponse(response: ExchangeResponse): Violation[] {
      const body = readBody(response);
      const element = { statusCode: response.status, headers: response.headers, body: body.value };
      const validate = () => [prism.validateOutput({ resource, element })];
      const schema = responseSchemas.get(`${response.status}`) ?? {};
      const clarifyOne = (one: Diagnostic) => clarify(one, response);
      return [
        ...toViolations('response', body, validate, clarifyOne),
        ...checkErrorBody(response, body),
        ...findUnknownMembers(name, body.value, schema, ['response', 'body']),
      ];
    },
  };
}

function schemaOf({ contents = [] }: { readonly contents?: readonly object[] } = {}): BodySchema {
  const [{ schema = {} } = {}]: readonly { readonly schema?: BodySchema }[] = contents;
  return schema;
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

/** An `Either` of fp-ts with Prism's diagnostics on the left. */
type Validated = ReturnType<(typeof prism)['validateSecurity' | 'validateInput' | 'validateOutput']>;
type Validate = () => readonly Validated[];
type Diagnostic = Extract<Validated, { _tag: 'Left' }>['left'][number];
type Clarified = Pick<Violation, 'code' | 'message'> & Partial<Pick<Violation, 'severity'>>;
type Clarify = (diagnostic: Diagnostic) => Clarified;

/** An unreadable body is one violation, and what Prism reports about it follows from that. */
function toViolations(side: string, body: CheckedBody, validate: Validate, clarify: Clarify): Violation[] {
  const violations = diagnose(validate)
    .slice(0, MAX_VIOLATIONS)
    .map((diagnostic): Violation => {
      const { path = [], severity } = diagnostic;
      const level = severity === ERROR ? 'error' : 'warning';
      return { location: [side, ...path], severity: level, ...clarify(diagnostic) };
    });
  if (body.problems === undefined) return violations;
  const others = violations.filter(({ location, code }) => location[1] !== 'body' && code !== 'required');
  const own = { location: [side, 'body'], severity: 'error', code: 'json' } as const;
  return [...body.problems.map((message) => ({ ...own, message })), ...others];
}

/** Prism throws at some paths and media types that cannot be decoded. */
function diagnose(validate: Validate): readonly Diagnostic[] {
  try {
    return validate().flatMap((validated) => (validated._tag === 'Left' ? validated.left : []));
  } catch (error) {
    const message = `It cannot be checked: ${(error as Error).message}`;
    return [{ severity: ERROR, code: 'unreadable', message }];
  }
}

/** Prism limits int64 to exact doubles; this sets the limits of int64 for checked numbers. */
function widenInt64(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('format' in node && node.format === 'int64') Object.assign(node, checkedInt64);
  for (const child of Object.values(node)) widenInt64(child);
}
