import type { SentExchange } from '../../common/har/har-entry.ts';
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
      headers: pairsOf(request.rawHeaders ?? []),
      body: request.body,
    },
    response: response && {
      status: response.status,
      reason: response.reason,
      headers: pairsOf(response.rawHeaders ?? []),
      body: response.body,
    },
    failure: refusal,
    comment: refusal?.message ?? '',
  };
}
