import { matchPath } from '@stoplight/prism-http/dist/router/matchPath.js';
import {
  validateInput,
  validateOutput,
  validateSecurity,
} from '@stoplight/prism-http/dist/validator/index.js';
import { isPreflight } from '../../common/is-preflight.ts';
import type { ExchangeRequest, Headers, Judge, Violation } from '../exchange.ts';
import { createShortcut, type Shortcut } from './create-shortcut.ts';
import { type BodySchema, createFindUnknownNames } from './find-unknown-names.ts';
import { judgedInt64 } from './judged-number.ts';
import { type JudgedBody, readBody, toJudgedText } from './read-body.ts';
import { type Operation, readOperations } from './read-operations.ts';

/** What Prism calls an error; all else is a warning. Source: DiagnosticSeverity of @stoplight/types */
const ERROR = 0;

/** The most violations that are told apart in one message; the rest are counted. */
export const MOST_VIOLATIONS = 1_000;

/** Prism's proxy says no more of a request that it cannot route, and nothing of its response. */
const notRouted: Violation = {
  location: ['request'],
  severity: 'warning',
  message: 'Selected route not found',
};

/**
 * Creates the judge: Prism's own reader of OpenAPI, matching of paths and validators, in the order of its
 * proxy: security, request and, when it is there, the response.
 *
 * @param contractFile the path of openapi.yaml.
 */
export async function createJudge(contractFile: string): Promise<Judge> {
  const operations = await readOperations(contractFile);
  widenInt64(operations);
  const known = operations.map((resource) => ({
    resource,
    shortcut: createShortcut(resource),
    documented: namesOfQuery(resource),
    requestSchema: schemaOf(resource.request?.body),
    responseSchemas: new Map(resource.responses.map((response) => [response.code, schemaOf(response)])),
  }));
  // A path of the contract without parameters goes before one with.
  known.sort(
    (one, other) => Number(one.resource.path.includes('{')) - Number(other.resource.path.includes('{')),
  );
  const parameters = operations.flatMap(namesOfQuery);
  const findUnknown = createFindUnknownNames();
  return (request) => {
    const body = readBody(request);
    const given = new URLSearchParams(request.query);
    const url = { path: toJudgedPath(request.path), query: toPrismQuery(given, parameters) };
    // HEAD is GET without a body, and the contract need not name it. Source: RFC 9110 section 9.3.2
    const method = (request.method === 'HEAD' ? 'get' : request.method.toLowerCase()) as 'get';
    const found = findOperation(known, method, url.path);
    if (found === undefined) {
      // No contract names the preflights of browsers.
      const violations = isPreflight(request) ? [] : [notRouted];
      return { operationId: undefined, violations, judgeResponse: () => [] };
    }
    const { resource, shortcut, documented, requestSchema, responseSchemas } = found;
    const name = resource.iid ?? resource.path;
    const { headers } = request;
    const isAccepted = isRead(body) && shortcut.acceptsRequest({ url, headers, body: body.judged });
    const judgeRequest = () => {
      const element = { method, url, headers: toPrismHeaders(request), body: body.judged };
      return [validateSecurity({ resource, element }), validateInput({ resource, element })];
    };
    return {
      operationId: resource.iid,
      violations: [
        ...(isAccepted ? [] : toViolations('request', body, judgeRequest)),
        ...findUnknown.inQuery(name, given, documented),
        ...findUnknown.inBody('request', name, body.judged, requestSchema),
      ],
      judgeResponse: (response) => {
        const body = readBody(response);
        const element = { statusCode: response.status, headers: response.headers, body: body.judged };
        const isAccepted = isRead(body) && shortcut.acceptsResponse(element);
        const judgeResponse = () => {
          const headers = boundMediaType(response.headers);
          return [validateOutput({ resource, element: { ...element, headers } })];
        };
        return [
          ...(isAccepted ? [] : toViolations('response', body, judgeResponse)),
          ...findUnknown.inBody('response', name, body.judged, responseSchemas.get(`${response.status}`)),
        ];
      },
    };
  };
}

function namesOfQuery({ request }: Operation): string[] {
  return request?.query?.map(({ name }) => name) ?? [];
}

function schemaOf({ contents = [] }: { readonly contents?: readonly object[] } = {}): BodySchema | undefined {
  const [{ schema } = {}]: readonly { readonly schema?: BodySchema }[] = contents;
  return schema;
}

/** Whether a body can be judged as it was read. */
function isRead({ problem, isUnknown = false }: JudgedBody): boolean {
  return problem === undefined && !isUnknown;
}

interface KnownOperation {
  readonly resource: Operation;
  readonly shortcut: Shortcut;
  /** The names of its query parameters. */
  readonly documented: readonly string[];
  readonly requestSchema: BodySchema | undefined;
  /** By status. */
  readonly responseSchemas: ReadonlyMap<string, BodySchema | undefined>;
}

function findOperation(
  operations: readonly KnownOperation[],
  method: string,
  path: string,
): KnownOperation | undefined {
  const candidates = operations.filter(({ resource }) => resource.method === method && path.startsWith('/'));
  const isMatch = ({ resource }: KnownOperation) => {
    const match = matchPath(path, resource.path);
    return match._tag === 'Right' && match.right !== 'no-match';
  };
  return candidates.find(({ shortcut }) => shortcut.matches(path)) ?? candidates.find(isMatch);
}

function toJudgedPath(path: string): string {
  return path.split('/').map(toJudgedText).join('/');
}

/** Prism would take a parameter of another case for the one of the contract. */
function toPrismQuery(given: URLSearchParams, parameters: readonly string[]) {
  const query: Record<string, string | string[]> = {};
  for (const name of given.size === 0 ? [] : parameters) {
    const [first, ...others] = given.getAll(name).map(toJudgedText);
    if (first !== undefined) query[name] = others.length === 0 ? first : [first, ...others];
  }
  return query;
}

function toPrismHeaders({ headers, body }: ExchangeRequest): Headers {
  const { authorization, 'transfer-encoding': coding } = headers;
  return {
    ...boundMediaType(headers),
    // Prism wants the scheme as `Bearer`; HTTP wants it in any case. Source: RFC 9110 section 11.1
    ...(authorization !== undefined && { authorization: authorization.replace(/^bearer +/i, 'Bearer ') }),
    // Prism looks at the media type only of a body whose length it is told; one that came in chunks has none.
    ...(coding !== undefined && body !== undefined && { 'content-length': String(body.length) }),
  };
}

/** The longest Content-Type that is judged whole, in characters. */
export const LONGEST_MEDIA_TYPE = 1_000;

/** Cuts a long Content-Type before its parameters (blanks take quadratic time), never within: half a key could not be hidden. */
function boundMediaType(headers: Headers): Headers {
  const { 'content-type': value = '' } = headers;
  if (value.length <= LONGEST_MEDIA_TYPE) return headers;
  const end = value.slice(0, LONGEST_MEDIA_TYPE).indexOf(';');
  return { ...headers, 'content-type': end < 0 ? 'application/x-too-long' : value.slice(0, end).trimEnd() };
}

/** An `Either` of fp-ts: Prism's diagnostics are on its left. */
type Validated = ReturnType<typeof validateSecurity | typeof validateInput | typeof validateOutput>;
type Diagnostic = Extract<Validated, { _tag: 'Left' }>['left'][number];

/** A body that could not be read is one violation; what Prism says of it besides follows from that. */
function toViolations(
  side: 'request' | 'response',
  { problem, isUnknown = false }: JudgedBody,
  validate: () => readonly Validated[],
): Violation[] {
  const diagnostics = diagnose(validate);
  const violations = diagnostics.slice(0, MOST_VIOLATIONS).map(
    ({ path = [], severity, code, message }): Violation => ({
      location: [side, ...path],
      severity: severity === ERROR ? 'error' : 'warning',
      ...(code === undefined ? {} : { code: String(code) }),
      message,
    }),
  );
  if (diagnostics.length > MOST_VIOLATIONS) {
    const message = `${diagnostics.length - MOST_VIOLATIONS} more violations`;
    violations.push({ location: [side], severity: 'error', code: 'more', message });
  }
  if (problem === undefined && !isUnknown) return violations;
  const others = violations.filter(({ location, code }) => location[1] !== 'body' && code !== 'required');
  if (problem === undefined) return others;
  return [{ location: [side, 'body'], severity: 'error', code: 'json', message: problem }, ...others];
}

/** Prism throws at some paths and media types that cannot be decoded; those do not conform either. */
function diagnose(validate: () => readonly Validated[]): readonly Diagnostic[] {
  try {
    return validate().flatMap((validated) => (validated._tag === 'Left' ? validated.left : []));
  } catch (error) {
    const message = `It cannot be judged: ${(error as Error).message}`;
    return [{ severity: ERROR, code: 'unreadable', message }];
  }
}

/** Prism bounds int64 by what a double holds exactly; these are the bounds of int64 as the judged numbers are made. */
function widenInt64(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('format' in node && node.format === 'int64') Object.assign(node, judgedInt64);
  for (const child of Object.values(node)) widenInt64(child);
}
