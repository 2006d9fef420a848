import type { Violation } from '../../common/journal/violation.ts';
import type { ExchangeRequest, ExchangeResponse, Hide } from '../exchange.ts';
import { createViolation, MAX_VIOLATIONS } from './create-violation.ts';
import { describeDifference } from './describe-received.ts';
import { exchangeRules, type RuledExchange } from './exchange-rules.ts';
import { omitDuplicateMembers } from './omit-duplicate-members.ts';
import type { CheckedBody } from './read-body.ts';

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
  hide: Hide,
): Violation[] {
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
  const broken = findBroken(withoutDuplicates(exchange, request.body, response.body), hide);
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

function findBroken(exchange: RuledExchange, hide: Hide): Violation[] {
  return exchangeRules.flatMap(({ id, sentence, find }) =>
    find(exchange).map(({ keys, expected, received }) => {
      const [wanted, shown] = describeDifference(expected, received, hide);
      const message = expected === undefined ? sentence : `${sentence} (${wanted})`;
      const parts = { severity: 'error', rule: id, message, received: shown } as const;
      return createViolation({ ...parts, location: ['response', 'body', ...keys] }, hide);
    }),
  );
}
