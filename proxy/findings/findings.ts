import { HIDDEN, holdsKey } from '../../common/hide-keys.ts';
import type { Exchange, JudgedRequest, Violation } from '../exchange.ts';
import { keysOf, printCurl } from './print-curl.ts';

/** A rule that was broken, and how often. */
export interface Finding {
  readonly severity: Violation['severity'];
  /** Undefined when the request was none of openapi.yaml. */
  readonly operationId: string | undefined;
  /** Such as `response.body.*.id`: every element of an array is the same place. */
  readonly place: string;
  /** Such as `required` or `unknown-route`. */
  readonly rule: string;
  /** What was said of it the first time. */
  readonly message: string;
  readonly count: number;
  /** The first request that it was found with, as a curl command without the key. */
  readonly example: string;
}

/** What the exchanges so far have shown. */
export interface Findings {
  readonly exchanges: number;
  /** Exchanges by operation; those of no operation are at `undefined`. */
  readonly byOperation: ReadonlyMap<string | undefined, number>;
  /** Exchanges that the upstream did not answer. */
  readonly unanswered: number;
  /** Exchanges that the client gave up before there was an answer. */
  readonly abandoned: number;
  /** Bodies that were too large or too oddly coded to be judged. */
  readonly unjudgedBodies: number;
  /** The most frequent first. */
  readonly violations: readonly Finding[];
}

/** Gathers what exchanges show. */
export interface FindingsRecord {
  /** @returns what each violation of the exchange has come to, with its own message. */
  add(exchange: Exchange): readonly Finding[];
  read(): Findings;
}

/** The most rules that are told apart; there are far fewer in openapi.yaml. */
const MOST_RULES = 1_000;

/**
 * @param upstream its base URL, for the examples.
 * @param apiKeys keys that are kept out of them, beside that of each request.
 */
export function createFindingsRecord(upstream: URL, apiKeys: readonly string[]): FindingsRecord {
  const found = new Map<string, Finding>();
  const byOperation = new Map<string | undefined, number>();
  let [exchanges, unanswered, abandoned, unjudgedBodies] = [0, 0, 0, 0];
  const count = (exchange: Exchange, violation: Violation): Finding => {
    const place = placeOf(violation);
    const key = JSON.stringify([exchange.operationId, violation.severity, place, violation.code]);
    const first =
      found.get(key) ??
      toFinding(exchange, violation, place, (request) => printCurl(request, upstream, apiKeys));
    const finding = { ...first, count: first.count + 1 };
    if (found.has(key) || found.size < MOST_RULES) found.set(key, finding);
    const isSecret = holdsKey(violation.message, [...keysOf(exchange.request), ...apiKeys]);
    return { ...finding, message: isSecret ? HIDDEN : violation.message };
  };
  return {
    add(exchange) {
      const { operationId, request, response, refusal } = exchange;
      exchanges += 1;
      byOperation.set(operationId, (byOperation.get(operationId) ?? 0) + 1);
      if (response === undefined && refusal !== undefined && refusal.status >= 502) unanswered += 1;
      if (response === undefined && refusal === undefined) abandoned += 1;
      const isUnjudged = (body: unknown) => body === undefined;
      // A request that was given up may not be all there.
      if (isUnjudged(request.body) && response !== undefined) unjudgedBodies += 1;
      if (response !== undefined && request.method !== 'HEAD' && isUnjudged(response.body))
        unjudgedBodies += 1;
      return exchange.violations.map((violation) => count(exchange, violation));
    },
    read: () => ({
      exchanges,
      byOperation,
      unanswered,
      abandoned,
      unjudgedBodies,
      violations: [...found.values()].sort((one, other) => other.count - one.count),
    }),
  };
}

function toFinding(
  { operationId, request }: Exchange,
  { severity, code, message }: Violation,
  place: string,
  printExample: (request: JudgedRequest) => string,
): Finding {
  return {
    severity,
    operationId,
    place,
    rule: code ?? nameRule(message),
    message: holdsKey(message, keysOf(request)) ? HIDDEN : message,
    count: 0,
    example: printExample(request),
  };
}

/** The rules that Prism has only a sentence for. */
function nameRule(message: string): string {
  if (message.startsWith('Selected route')) return 'unknown-route';
  if (message.startsWith('Unable to match the returned status code')) return 'undocumented-status';
  if (message.startsWith('The received media type')) return 'media-type';
  return 'unnamed';
}

/** What is missing is a place of its own. */
function placeOf({ location, code, message }: Violation): string {
  const [, missing] = (code === 'required' && /required property '(.*)'$/.exec(message)) || [];
  const keys = missing === undefined ? location : [...location, missing];
  return keys.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('.');
}
