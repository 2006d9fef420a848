import { matchPath } from '@stoplight/prism-http/dist/router/matchPath.js';
import {
  validateInput,
  validateOutput,
  validateSecurity,
} from '@stoplight/prism-http/dist/validator/index.js';
import type { ExchangeRequest, Headers, Judge, Violation } from '../exchange.ts';
import { judgedInt64 } from './judged-number.ts';
import { type JudgedBody, readBody, toJudgedText } from './read-body.ts';
import { type Operation, readOperations } from './read-operations.ts';

/** What Prism calls an error; all else is a warning. Source: DiagnosticSeverity of @stoplight/types */
const ERROR = 0;

/**
 * Creates the judge: Prism's own reader of OpenAPI, matching of paths and validators, in the order of its
 * proxy: security, request and, when it is there, the response.
 *
 * @param contractFile the path of openapi.yaml.
 */
export async function createJudge(contractFile: string): Promise<Judge> {
  const operations = await readOperations(contractFile);
  widenInt64(operations);
  const parameters = new Set(
    operations.flatMap(({ request }) => request?.query?.map(({ name }) => name) ?? []),
  );
  return (request) => {
    const body = readBody(request);
    const element = toPrismRequest(request, parameters, body.judged);
    const resource = findOperation(operations, element);
    if (resource === undefined)
      return { operationId: undefined, violations: [notRouted], judgeResponse: () => [] };
    const validate = () => [
      ...toDiagnostics(validateSecurity({ resource, element })),
      ...toDiagnostics(validateInput({ resource, element })),
    ];
    return {
      operationId: resource.iid,
      violations: toViolations('request', validate, body),
      judgeResponse: (response) => {
        const body = readBody(response);
        const element = { statusCode: response.status, headers: response.headers, body: body.judged };
        return toViolations('response', () => toDiagnostics(validateOutput({ resource, element })), body);
      },
    };
  };
}

/** Prism's proxy says no more of a request that it cannot route, and nothing of its response. */
const notRouted: Violation = {
  location: ['request'],
  severity: 'warning',
  message: 'Selected route not found',
};

/** A path of the contract without parameters goes before one with. */
function findOperation(
  operations: readonly Operation[],
  { method, url }: ReturnType<typeof toPrismRequest>,
): Operation | undefined {
  const matching = (wanted: 'concrete' | 'templated') =>
    operations.find((operation) => {
      if (operation.method !== method || !url.path.startsWith('/')) return false;
      const match = matchPath(url.path, operation.path);
      return match._tag === 'Right' && match.right === wanted;
    });
  return matching('concrete') ?? matching('templated');
}

/** The request as Prism wants it. */
function toPrismRequest(
  { method, path, query, headers, body }: ExchangeRequest,
  parameters: ReadonlySet<string>,
  judged: unknown,
) {
  return {
    // HEAD is GET without a body, and the contract need not name it. Source: RFC 9110 section 9.3.2
    method: (method === 'HEAD' ? 'get' : method.toLowerCase()) as 'get',
    url: { path: path.split('/').map(toJudgedText).join('/'), query: toPrismQuery(query, parameters) },
    headers: withLength(withPlainScheme(headers), body),
    body: judged,
  };
}

/** Prism looks at the media type only of a body whose length it is told; one that came in chunks has none. */
function withLength(headers: Headers, body: Uint8Array | undefined): Headers {
  if (headers['transfer-encoding'] === undefined || body === undefined) return headers;
  return { ...headers, 'content-length': String(body.length) };
}

/** Prism would take a parameter of another case for the one of the contract. */
function toPrismQuery(query: string, parameters: ReadonlySet<string>): Record<string, string | string[]> {
  if (query === '') return {};
  const all = new URLSearchParams(query);
  const names = [...new Set(all.keys())].filter((name) => parameters.has(name));
  const pairs = names.map((name) => {
    const [first = '', ...others] = all.getAll(name).map(toJudgedText);
    return [name, others.length === 0 ? first : [first, ...others]] as const;
  });
  return Object.fromEntries(pairs);
}

/** Prism wants the scheme as `Bearer`; HTTP wants it in any case. Source: RFC 9110 section 11.1 */
function withPlainScheme(headers: Headers): Headers {
  const { authorization } = headers;
  if (authorization === undefined || authorization.startsWith('Bearer ')) return headers;
  return { ...headers, authorization: authorization.replace(/^bearer +/i, 'Bearer ') };
}

/** What Prism says of one thing. */
interface Diagnostic {
  readonly path?: readonly string[];
  readonly severity: number;
  readonly code?: string | number;
  readonly message: string;
}

/** An `Either` of fp-ts: Prism's diagnostics are on its left. */
type Validated = { readonly _tag: 'Left'; readonly left: readonly Diagnostic[] } | { readonly _tag: 'Right' };

function toDiagnostics(validated: Validated): readonly Diagnostic[] {
  return validated._tag === 'Left' ? validated.left : [];
}

/** The most violations that are told apart in one message; the rest are counted. */
const MOST_VIOLATIONS = 1_000;

/** A body that could not be read is one violation; what Prism says of it besides follows from that. */
function toViolations(
  side: 'request' | 'response',
  judge: () => readonly Diagnostic[],
  { problem, isUnknown = false }: JudgedBody,
): Violation[] {
  const diagnostics = judgeSafely(judge);
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
function judgeSafely(judge: () => readonly Diagnostic[]): readonly Diagnostic[] {
  try {
    return judge();
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
