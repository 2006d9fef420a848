import { matchPath } from '@stoplight/prism-http/dist/router/matchPath.js';
import { validateSecurity } from '@stoplight/prism-http/dist/validator/index.js';
import validators from '@stoplight/prism-http/dist/validator/validators/index.js';
import { validateAgainstSchema } from '@stoplight/prism-http/dist/validator/validators/utils.js';
import type { ExchangeRequest, ExchangeResponse, FoundViolation } from '../exchange.ts';
import type { FindReceived } from './apply-rules.ts';
import { readPathParameters } from './path-parameters.ts';
import { prismRules } from './prism-rules.ts';
import { checkedInt64, int64, isJson, type ReadBody, toCheckedText } from './read-body.ts';
import type { Operation } from './read-operations.ts';

/** An `Either` of fp-ts with Prism's diagnostics on the left. */
type Validated = ReturnType<typeof validateSecurity | (typeof validators)[keyof typeof validators]>;
type Diagnostic = Extract<Validated, { _tag: 'Left' }>['left'][number];

type Contents = Parameters<typeof validators.validateBody>[1];
type Schema = NonNullable<Contents[number]['schema']>;

/** `ValidationContext` of Prism, which its types have as an enum that Node cannot read. */
const INPUT = 0;
const OUTPUT = 1;

/** Severity of an error; all others are warnings. Source: DiagnosticSeverity of @stoplight/types */
const ERROR = 0;

/** Returns whether the router of Prism finds an operation for a path. */
export function isRouted({ path: template }: Operation, path: string): boolean {
  // Prism's router takes an empty segment for a parameter.
  if (!path.startsWith('/') || path.endsWith('/')) return false;
  const match = matchPath(path, template);
  return match._tag === 'Right' && match.right !== 'no-match';
}

/**
 * Creates the validation of an operation by Prism. It calls only the validators that have something to check, because the whole
 * takes three times as long. The status, the media type and whether there is a body are checked by rules of ours.
 */
export function createValidators(resource: Operation) {
  widenInt64(resource);
  const { request = {}, responses, path: template } = resource;
  const { query = [], path: inPath = [], headers: inHeaders = [], body: sent } = request;
  const { __bundled__: bundle } = resource as { readonly __bundled__?: unknown };
  const ofEmptyQuery = validators.validateQuery({}, query, INPUT, bundle);

  const createBodyValidator = (contents: Contents, context: typeof INPUT | typeof OUTPUT) => {
    const plain = findPlainSchema(contents);
    return (mediaType = '', { value, json }: ReadBody): Validated => {
      if (json !== undefined && plain !== undefined) {
        const found = validateAgainstSchema(value, plain, false, context, 'body', bundle);
        return found._tag === 'Some' ? { _tag: 'Left', left: found.value } : { _tag: 'Right', right: value };
      }
      const [, boundary] = /boundary="?([^";]*)/i.exec(mediaType) ?? [];
      const essence = isJson(mediaType) ? 'application/json' : mediaType.replace(/;.*/s, '').trim();
      return validators.validateBody(value, contents, context, essence, boundary, bundle);
    };
  };
  const validateSent = sent?.contents && createBodyValidator(sent.contents, INPUT);
  const documented = new Map(
    responses.map(({ code, contents, headers = [] }) => [
      code,
      {
        headers,
        validateBody: contents && contents.length > 0 ? createBodyValidator(contents, OUTPUT) : undefined,
      },
    ]),
  );

  return {
    /** @param path with rounded integers @param given the query */
    validateRequest(
      message: ExchangeRequest,
      path: string,
      given: URLSearchParams,
      body: ReadBody,
      find: FindReceived,
    ): FoundViolation[] {
      const { headers } = message;
      const element = {
        url: { path },
        method: resource.method as 'get',
        headers: toSecurityHeaders(message),
      };
      const names = query.map(({ name }) => name);
      return diagnose('request', find, function* () {
        yield validateSecurity({ resource, element });
        if (validateSent !== undefined && body.isRead && message.body?.length !== 0)
          yield validateSent(headers['content-type'], body);
        if (inHeaders.length > 0) yield validators.validateHeaders(headers, inHeaders, INPUT, bundle);
        yield given.size === 0
          ? ofEmptyQuery
          : validators.validateQuery(toPrismQuery(given, names), query, INPUT, bundle);
        if (inPath.length > 0) yield validators.validatePath(readPath(template, path), inPath, INPUT, bundle);
      });
    },
    /** @param code under which the contract has the status of the response */
    validateResponse(
      { headers }: ExchangeResponse,
      code: string | undefined,
      body: ReadBody,
      find: FindReceived,
    ): FoundViolation[] {
      const { validateBody, headers: ofResponse = [] } = documented.get(code ?? '') ?? {};
      return diagnose('response', find, function* () {
        if (validateBody !== undefined && body.isRead) yield validateBody(headers['content-type'], body);
        if (ofResponse.length > 0) yield validators.validateHeaders(headers, ofResponse, OUTPUT, bundle);
      });
    },
  };
}

/**
 * Returns the schema of JSON, if its validator takes it as it is. `validateBody` takes three times as long, because it finds the schema by
 * its media type each time, and merges `allOf` and leaves out what only the other side has.
 */
function findPlainSchema(contents: Contents): Schema | undefined {
  const { schema } = contents.find(({ mediaType }) => mediaType === 'application/json') ?? {};
  return /"(?:allOf|readOnly|writeOnly)":/.test(JSON.stringify(schema) ?? '') ? undefined : schema;
}

/** @param validate calls validators. Prism throws at some paths that cannot be decoded. */
function diagnose(
  side: 'request' | 'response',
  find: FindReceived,
  validate: () => Iterable<Validated>,
): FoundViolation[] {
  try {
    const diagnostics = [...validate()].flatMap((one) => (one._tag === 'Left' ? one.left : []));
    return diagnostics.map((one) => toViolation(one, side, find));
  } catch (error) {
    const message = `It cannot be checked: ${(error as Error).message}`;
    return [toViolation({ severity: ERROR, code: 'unreadable', message }, side, find)];
  }
}

function toViolation(
  { path = [], severity, code = 'unnamed', message }: Diagnostic,
  side: 'request' | 'response',
  find: FindReceived,
): FoundViolation {
  const known = prismRules[code] ?? {};
  const location = [side, ...path.map(String)];
  const sentence = correctBound(message);
  const [, expected] = known.expected?.exec(sentence) ?? [];
  const [, missing] = known.missing?.exec(sentence) ?? [];
  return {
    location,
    severity: severity === ERROR ? 'error' : 'warning',
    rule: known.rule ?? String(code),
    message: known.message ?? sentence,
    expected,
    missing,
    received: missing === undefined ? find(location, known) : undefined,
  };
}

/** The bounds of int64, as Prism prints them for checked numbers, and as they are. */
const bounds = [
  [` ${checkedInt64.maximum}`, ` ${int64.maximum}`],
  [` ${checkedInt64.minimum}`, ` ${int64.minimum}`],
] as const;

/** Replaces a rounded bound at the end of a message, such as `must be <= 9223372036854775000`. */
function correctBound(message: string): string {
  const [rounded, exact] = bounds.find(([end]) => message.endsWith(end)) ?? ['', ''];
  return message.slice(0, message.length - rounded.length) + exact;
}

/** Prism would take a parameter in another case for the one of the contract. */
function toPrismQuery(given: URLSearchParams, names: readonly string[]) {
  const query: Record<string, string | string[]> = {};
  for (const name of names) {
    const [first, ...others] = given.getAll(name).map(toCheckedText);
    if (first !== undefined) query[name] = others.length === 0 ? first : [first, ...others];
  }
  return query;
}

function readPath(template: string, path: string): Record<string, string> {
  const sent = Object.entries(readPathParameters(template, path));
  return Object.fromEntries(sent.map(([name, text]) => [name, decodeURIComponent(text)]));
}

/** Prism requires `Bearer` in this case; in HTTP any case is valid. Source: RFC 9110 section 11.1 */
function toSecurityHeaders({ headers }: ExchangeRequest) {
  const { authorization } = headers;
  if (authorization === undefined) return headers;
  return { ...headers, authorization: authorization.replace(/^bearer +/i, 'Bearer ') };
}

/** Prism limits int64 to exact doubles; this sets the limits of int64 for checked numbers. */
function widenInt64(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('format' in node && node.format === 'int64') Object.assign(node, checkedInt64);
  for (const child of Object.values(node)) widenInt64(child);
}
