import type { Violation } from '../../common/journal/violation.ts';
import { type ExchangeRequest, type ExchangeResponse, type Hide, isMadeByFault } from '../exchange.ts';
import { createViolation, MAX_VIOLATIONS } from './create-violation.ts';
import { describeReceived } from './describe-received.ts';
import { exchangeRules } from './exchange-rules.ts';
import { hasDuplicateMembers } from './has-duplicate-members.ts';
import type { CheckedBody } from './read-body.ts';

/** A message with its body, as it was read. */
interface Read<Message> {
  readonly message: Message;
  readonly body: CheckedBody;
}

/** Finds the rules for one exchange that an exchange breaks. The responses of faults of animal-store-mock break none. */
export function applyRules(
  operationId: string | undefined,
  request: Read<ExchangeRequest>,
  response: Read<ExchangeResponse>,
  hide: Hide,
): Violation[] {
  if (isMadeByFault(response.message)) return [];
  const { path, query } = request.message;
  const exchange = {
    operationId,
    path,
    // Some services split a query at semicolons too.
    parameters: query.includes(';') ? undefined : [...new URLSearchParams(query)],
    sent: request.body.json?.exact,
    status: response.message.status,
    body: response.body.json?.exact,
  };
  const broken = exchangeRules.flatMap(({ id, sentence, find }) =>
    find(exchange).map(({ keys, expected, received }) => {
      const value = expected === undefined ? '' : ` (${describeReceived(expected, hide)})`;
      const shown = describeReceived(received, hide);
      const parts = { severity: 'error', rule: id, message: sentence + value, received: shown } as const;
      return createViolation({ ...parts, location: ['response', 'body', ...keys] }, hide);
    }),
  );
  if (broken.length === 0) return [];
  // Services may read either of two members.
  const isAmbiguous = [request.body, response.body].some(({ json }) => json && hasDuplicateMembers(json));
  return isAmbiguous ? [] : broken.slice(0, MAX_VIOLATIONS);
}
