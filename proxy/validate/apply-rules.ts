import type { ExchangeRequest, ExchangeResponse, FoundViolation } from '../exchange.ts';
import { exchangeRules, type RuledExchange } from './exchange-rules.ts';
import { omitDuplicateMembers } from './omit-duplicate-members.ts';
import type { CheckedBody } from './read-body.ts';
import { toReceived } from './to-received.ts';

/** Maximum number of violations of a message. */
export const MAX_VIOLATIONS = 1_000;

/** A message with its body, as it was read. */
interface Read<Message> {
  readonly message: Message;
  readonly body: CheckedBody;
}

/** Finds the rules for one exchange that an exchange breaks. */
export function applyRules(
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
    sent: request.body.json?.exact,
    status: response.message.status,
    body: response.body.json?.exact,
  };
  const isBroken = exchangeRules.some(({ find }) => find(exchange).length > 0);
  if (!isBroken) return [];
  const broken = findBroken(withoutDuplicates(exchange, request.body, response.body));
  return broken.slice(0, MAX_VIOLATIONS);
}

/** Few exchanges break a rule, and finding members that are given twice takes time. */
function withoutDuplicates(
  exchange: RuledExchange,
  request: CheckedBody,
  response: CheckedBody,
): RuledExchange {
  return {
    ...exchange,
    sent: request.json && omitDuplicateMembers(request.json),
    body: response.json && omitDuplicateMembers(response.json),
  };
}

function findBroken(exchange: RuledExchange): FoundViolation[] {
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
