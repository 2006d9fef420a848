import { runInNewContext } from 'node:vm';
import { matchPath } from '@stoplight/prism-http/dist/router/matchPath.js';
import { validateSecurity } from '@stoplight/prism-http/dist/validator/index.js';
import validators from '@stoplight/prism-http/dist/validator/validators/index.js';
import { isJson } from '../../common/http/headers.ts';
import { type ExchangeRequest, type ExchangeResponse, findEmptyKey } from '../exchange.ts';
import { readPathParameters } from './path-parameters.ts';
import { prismRules } from './prism-rules.ts';
import { checkedInt64, int64, type ReadBody, toCheckedText } from './read-body.ts';
import type { Operation } from './read-operations.ts';
import type { Found } from './rule.ts';

/** An `Either` of fp-ts with Prism's diagnostics on the left. */
type Validated = ReturnType<typeof validateSecurity | (typeof validators)[keyof typeof validators]>;
type Diagnostic = Extract<Validated, { _tag: 'Left' }>['left'][number];

/** `ValidationContext` of Prism, which its types have as an enum that Node cannot read. */
const INPUT = 0;
const OUTPUT = 1;

/** Severity of an error; all others are warnings. Source: DiagnosticSeverity of @stoplight/types */
const ERROR = 0;

/** Time that a check by the patterns of a draft may take, in seconds: with `^(a+)+$`, some short values take hours. */
const PATTERN_TIME = 2;

/** Returns whether the router of Prism finds an operation for a path. */
export function isRouted({ path: template }: Pick<Operation, 'path'>, path: string): boolean {
  // Prism's router takes an empty segment for a parameter.
  if (!path.startsWith('/') || path.endsWith('/')) return false;
  const match = matchPath(path, template);
  return match._tag === 'Right' && match.right !== 'no-match';
}

/**
 * Creates the validation of an operation by Prism. It calls only the validators that have something to check. The status, the media type
 * and whether there is a body are checked by rules of ours. @param patternTime in seconds
 */
export function createValidators(resource: Operation, patternTime = PATTERN_TIME) {
  widenInt64(resource);
  const { request = {}, responses, path: template } = resource;
  const { query = [], path: inPath = [], headers: inHeaders = [], body: sent } = request;
  const { __bundled__: bundle } = resource as { readonly __bundled__?: unknown };
  const hasPatterns = /"pattern(?:Properties)?":/.test(JSON.stringify(resource));

  const validateBody = (
    { headers: { 'content-type': mediaType = '' } }: ExchangeRequest | ExchangeResponse,
    { value, isRead }: ReadBody,
    contents: Contents | undefined,
    context: typeof INPUT | typeof OUTPUT,
  ): Validated[] => {
    if (!isRead || contents === undefined || contents.length === 0) return [];
    const [, boundary] = /boundary="?([^";]*)/i.exec(mediaType) ?? [];
    const essence = isJson(mediaType) ? 'application/json' : mediaType.replace(/;.*/s, '').trim();
    return [validators.validateBody(value, contents, context, essence, boundary, bundle)];
  };

  /** @param validate calls validators. Prism throws at some paths that cannot be decoded. */
  const diagnose = (message: ExchangeRequest | ExchangeResponse, validate: () => Iterable<Validated>) => {
    const side = 'status' in message ? 'response' : 'request';
    try {
      const list = () => [...validate()];
      const validated: Validated[] = hasPatterns
        ? runInNewContext('list()', { list }, { timeout: patternTime * 1_000 })
        : list();
      const diagnostics = validated.flatMap((one) => (one._tag === 'Left' ? one.left : []));
      return diagnostics.map((one) => toFound(one, side, message));
    } catch (error) {
      const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      const late = `a pattern of the draft takes more than ${patternTime} seconds`;
      const reason = `It cannot be checked: ${isLate ? late : (error as Error).message}`;
      const code = isLate ? 'slow-pattern' : 'unreadable';
      return [toFound({ severity: ERROR, code, message: reason }, side, message)];
    }
  };

  return {
    validateRequest: (message: ExchangeRequest, given: URLSearchParams, body: ReadBody) =>
      diagnose(message, function* () {
        const { headers, path } = message;
        if (findEmptyKey(headers.authorization) === undefined)
          yield validateSecurity({ resource, element: toElement(resource, message) });
        // A rule of ours reports that there is no body.
        if (message.body?.length !== 0) yield* validateBody(message, body, sent?.contents, INPUT);
        if (inHeaders.length > 0) yield validators.validateHeaders(headers, inHeaders, INPUT, bundle);
        yield validators.validateQuery(toPrismQuery(given, query), query, INPUT, bundle);
        if (inPath.length > 0) yield validators.validatePath(readPath(template, path), inPath, INPUT, bundle);
      }),
    /** @param code under which the contract has the status of the response */
    validateResponse(message: ExchangeResponse, code: string | undefined, body: ReadBody) {
      const { contents, headers = [] } = responses.find((one) => one.code === code) ?? {};
      return diagnose(message, function* () {
        yield* validateBody(message, body, contents, OUTPUT);
        if (headers.length > 0) yield validators.validateHeaders(message.headers, headers, OUTPUT, bundle);
      });
    },
  };
}

type Contents = Parameters<typeof validators.validateBody>[1];

function toFound(
  { path = [], severity, code = 'unnamed', message }: Diagnostic,
  side: 'request' | 'response',
  of: ExchangeRequest | ExchangeResponse,
): Found {
  const known = prismRules[code] ?? {};
  const sentence = correctBound(message);
  const [, expected] = known.expected?.exec(sentence) ?? [];
  const [, missing] = known.missing?.exec(sentence) ?? [];
  return {
    location: [side, ...path.map(String)],
    severity: severity === ERROR ? 'error' : 'warning',
    rule: known.rule ?? String(code),
    message: known.message ?? sentence,
    expected,
    missing,
    ...(missing !== undefined && { received: undefined }),
    ...('method' in of && known.received && { received: known.received(of) }),
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
function toPrismQuery(given: URLSearchParams, specs: readonly { readonly name: string }[]) {
  const query: Record<string, string | string[]> = {};
  for (const { name } of specs) {
    const [first, ...others] = given.getAll(name).map(toCheckedText);
    if (first !== undefined) query[name] = others.length === 0 ? first : [first, ...others];
  }
  return query;
}

function readPath(template: string, path: string): Record<string, string> {
  const sent = Object.entries(readPathParameters(template, path));
  return Object.fromEntries(sent.map(([name, text]) => [name, decodeURIComponent(toCheckedText(text))]));
}

/** Prism requires `Bearer` in this case; in HTTP any case is valid. Source: RFC 9110 section 11.1 */
function toElement({ method }: Operation, { path, headers }: ExchangeRequest) {
  const { authorization } = headers;
  const bearer = authorization && { authorization: authorization.replace(/^bearer +/i, 'Bearer ') };
  return { url: { path }, method: method as 'get', headers: { ...headers, ...bearer } };
}

/** Prism limits int64 to exact doubles; this sets the limits of int64 for checked numbers. */
function widenInt64(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('format' in node && node.format === 'int64') Object.assign(node, checkedInt64);
  for (const child of Object.values(node)) widenInt64(child);
}
