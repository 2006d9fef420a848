import type { SentExchange } from '../../common/har/har-entry.ts';
import { printMessage, type Violation } from '../../common/journal/violation.ts';
import { pairsOf } from '../bytes/raw-headers.ts';
import type { Exchange } from '../exchange.ts';

/** Returns what a HAR file has of an exchange. @param origin of the upstream, whose URLs the entries have */
export function toSentExchange(exchange: Exchange, origin: string): SentExchange {
  const { request, response, refusal, startedAt = Date.now() } = exchange;
  return {
    startedAt,
    ms: Math.max(0, Date.now() - startedAt),
    request: {
      method: request.method,
      url: origin + request.target,
      headers: listHeaders(request),
      body: request.body,
    },
    response: response && {
      status: response.status,
      reason: response.reason,
      headers: listHeaders(response),
      body: response.body,
    },
    failure: refusal,
    comment: describe(exchange),
  };
}

type Message = Pick<Exchange['request'], 'headers' | 'rawHeaders'>;

function listHeaders({ headers, rawHeaders }: Message): [name: string, value: string][] {
  return rawHeaders === undefined ? Object.entries(headers) : pairsOf(rawHeaders);
}

/** Describes what was found in an exchange, and what became of it, one thing on a line. */
function describe({ operationId, violations, response, refusal }: Exchange): string {
  const lines = violations.map((violation) => `violation: ${describeViolation(violation, operationId)}`);
  if (refusal !== undefined)
    lines.push(
      `${response === undefined ? 'no response' : 'the client got another response'}: ${refusal.message}`,
    );
  else if (response === undefined) lines.push('no response: the client did not wait for it');
  return lines.join('\n');
}

function describeViolation(violation: Violation, operationId = '-'): string {
  const { severity, place, rule } = violation;
  return `${severity} ${operationId} ${place} ${rule}: ${printMessage(violation)}`;
}
