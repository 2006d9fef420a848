import { createInstance, getHttpOperationsFromSpec, type PrismHttpComponents } from '@stoplight/prism-http';
import type { Exchange, Headers, Violation } from './exchange.ts';
import { judgedInt64 } from './judged-number.ts';
import { type JudgedBody, readBody, toJudgedText } from './read-body.ts';

/** What there is to say of an exchange. */
export interface Judgement {
  /** The operation that the request was meant for, if it is one of openapi.yaml. */
  readonly operationId: string | undefined;
  readonly violations: readonly Violation[];
}

/** Says what in an exchange openapi.yaml does not allow. */
export type Judge = (exchange: Exchange) => Promise<Judgement>;

/** What Prism calls an error; all else is a warning. Source: DiagnosticSeverity of @stoplight/types */
const ERROR = 0;

/** Prism logs what it does; the violations say all that matters. */
const silent = {
  info() {},
  warn() {},
  error() {},
  debug() {},
  success() {},
  trace() {},
  child: () => silent,
};

/**
 * Creates the judge: Prism's own pipeline (route, validate the request, check security, forward, validate the
 * response), with a forwarder that hands over the response of an exchange that has passed already.
 *
 * @param contractFile the path of openapi.yaml.
 */
export async function createJudge(contractFile: string): Promise<Judge> {
  const operations = await getHttpOperationsFromSpec(contractFile);
  widenInt64(operations);
  const pathPatterns = new Map(operations.map(({ path }) => [path, toPattern(path)]));
  const parameters = new Set(
    operations.flatMap(({ request }) => request?.query?.map(({ name }) => name) ?? []),
  );
  const prism = createInstance(
    {
      isProxy: true,
      upstream: new URL('http://unused.invalid'),
      upstreamProxy: undefined,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      mock: { dynamic: false },
    },
    {
      logger: silent as unknown as PrismHttpComponents['logger'],
      forward: ({ data }, _baseUrl, _upstreamProxy, operation) => {
        const request = data as PrismRequest;
        request.operationId = operation?.iid;
        return () => async () => ({ _tag: 'Right', right: request.passed });
      },
    },
  );
  const judge: Judge = async (exchange) => {
    const [sent, answered] = [readBody(exchange.request), readBody(exchange.response)];
    const request = toPrismRequest(exchange, parameters, sent.judged, answered.judged);
    // Prism weighs every operation it is given, so it is given those of the path; if there is none, it says so itself.
    const matching = operations.filter(({ path }) => pathPatterns.get(path)?.test(request.url.path));
    const result = await prism.request(request, matching.length === 0 ? operations : matching)();
    if (result._tag === 'Left') throw result.left;
    const { input, output } = result.right.validations;
    return {
      operationId: request.operationId,
      violations: [...toViolations('request', input, sent), ...toViolations('response', output, answered)],
    };
  };
  return (exchange) =>
    judge(exchange).catch((error) => ({ operationId: undefined, violations: [toUnjudged(error)] }));
}

/** Prism throws at some paths and media types that cannot be decoded, which are no more lawful for it. */
function toUnjudged({ message }: Error): Violation {
  return {
    location: ['request'],
    severity: 'error',
    code: 'unreadable',
    message: `It cannot be judged: ${message}`,
  };
}

type PrismRequest = ReturnType<typeof toPrismRequest>;

/** The request as Prism wants it, and with it what the forwarder hands over and finds out. */
function toPrismRequest(
  { request, response }: Exchange,
  parameters: ReadonlySet<string>,
  sent: unknown,
  answered: unknown,
) {
  // Prism would take a parameter of another case for the one of the contract.
  const names = [...new Set(request.query.keys())].filter((name) => parameters.has(name));
  const query = names.map((name) => {
    const values = request.query.getAll(name).map(toJudgedText);
    return [name, values.length === 1 ? String(values[0]) : values] as const;
  });
  return {
    method: request.method.toLowerCase() as 'get',
    url: { path: request.path.split('/').map(toJudgedText).join('/'), query: Object.fromEntries(query) },
    headers: withPlainScheme(request.headers),
    body: sent,
    passed: { statusCode: response.status, headers: { ...response.headers }, body: answered },
    operationId: undefined as string | undefined,
  };
}

/** Prism wants the scheme as `Bearer`; HTTP wants it in any case. Source: RFC 9110 section 11.1 */
function withPlainScheme({ authorization, ...headers }: Headers): Record<string, string> {
  if (authorization === undefined) return headers;
  return { ...headers, authorization: authorization.replace(/^bearer +/i, 'Bearer ') };
}

/** What Prism says of one thing. */
interface Diagnostic {
  readonly path?: readonly string[];
  readonly severity: number;
  readonly code?: string | number;
  readonly message: string;
}

/** A body that could not be read is one violation; what Prism says of it besides follows from that. */
function toViolations(
  side: 'request' | 'response',
  diagnostics: readonly Diagnostic[],
  { problem, isUnknown = false }: JudgedBody,
): Violation[] {
  const violations = diagnostics.map(
    ({ path = [], severity, code, message }): Violation => ({
      location: [side, ...path],
      severity: severity === ERROR ? 'error' : 'warning',
      ...(code === undefined ? {} : { code: String(code) }),
      message,
    }),
  );
  if (problem === undefined && !isUnknown) return violations;
  const others = violations.filter(({ location, code }) => location[1] !== 'body' && code !== 'required');
  if (problem === undefined) return others;
  return [{ location: [side, 'body'], severity: 'error', code: 'json', message: problem }, ...others];
}

/** What a path template matches: a parameter is one segment. */
function toPattern(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '[^/]+' : RegExp.escape(segment)));
  return new RegExp(`^${segments.join('/')}$`);
}

/** Prism bounds int64 by what a double holds exactly; these are the bounds of int64 as the judged numbers are made. */
function widenInt64(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('format' in node && node.format === 'int64') Object.assign(node, judgedInt64);
  for (const child of Object.values(node)) widenInt64(child);
}
