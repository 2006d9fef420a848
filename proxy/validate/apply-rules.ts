import type { ExchangeRequest, ExchangeResponse, FoundViolation, Received } from '../exchange.ts';
import { exchangeRules, type RuledExchange } from './exchange-rules.ts';
import type { PrismRule } from './prism-rules.ts';
import type { ReadBody } from './read-body.ts';
import { toReceived } from './received.ts';
import type { Rule } from './rule.ts';

/** Finds what was received at a place, or as a rule of Prism says; undefined if nothing was. */
export type FindReceived = (location: readonly string[], rule?: PrismRule) => Received | undefined;

/** What rules of ours find in a message. */
interface FoundByRules {
  readonly violations: readonly FoundViolation[];
  /** The rules of Prism that only follow from these. */
  readonly causes: readonly string[];
}

/** Applies rules to a message. */
export function applyRules<Subject>(
  rules: readonly Rule<Subject>[],
  subject: Subject,
  find: FindReceived,
): FoundByRules {
  const violations: FoundViolation[] = [];
  const causes: string[] = [];
  for (const rule of rules) {
    const faults = rule.find(subject);
    if (faults.length > 0) causes.push(...(rule.causes ?? []));
    for (const fault of faults) {
      const received = 'received' in fault ? fault.received : find(fault.location);
      const ofRule = { rule: rule.id, severity: rule.severity, expected: undefined, missing: undefined };
      violations.push({ ...ofRule, ...fault, received });
    }
  }
  return { violations, causes };
}

/** Joins what Prism and our rules find in a message. */
export function combine(
  byPrism: readonly FoundViolation[],
  { violations, causes }: FoundByRules,
): FoundViolation[] {
  if (byPrism.length === 0) return [...violations];
  const kept = byPrism.filter(({ rule }) => !causes.includes(rule));
  const placeOf = ({ location }: FoundViolation) => JSON.stringify(location);
  const wrong = new Set(kept.filter(({ severity }) => severity === 'error').map(placeOf));
  // One error about a part of a message is enough.
  const isRepeated = (one: FoundViolation) =>
    one.severity === 'error' && one.location.length > 1 && wrong.has(placeOf(one));
  return [...kept, ...violations.filter((one) => !isRepeated(one))];
}

/** A message with its body, as it was read. */
interface Read<Message> {
  readonly message: Message;
  readonly body: ReadBody;
}

/** Applies the rules for one exchange. */
export function applyExchangeRules(
  operation: Pick<RuledExchange, 'operationId' | 'facts'>,
  request: Read<ExchangeRequest>,
  response: Read<ExchangeResponse>,
): FoundViolation[] {
  const { path, query } = request.message;
  const exchange: RuledExchange = {
    ...operation,
    path,
    // Some services split a query at semicolons too.
    parameters: query.includes(';') ? undefined : [...new URLSearchParams(query)],
    sent: request.body.json?.certain,
    status: response.message.status,
    body: response.body.json?.certain,
  };
  return exchangeRules.flatMap(({ id, sentence, find }) =>
    find(exchange).map(
      ({ keys, expected, received }): FoundViolation => ({
        severity: 'error',
        rule: id,
        location: ['response', 'body', ...keys],
        message: sentence,
        expected: undefined,
        missing: undefined,
        wanted: expected === undefined ? undefined : toReceived(expected),
        received: toReceived(received),
      }),
    ),
  );
}
