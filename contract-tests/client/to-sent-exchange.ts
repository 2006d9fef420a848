import type { SentExchange } from '../../common/har/har-entry.ts';
import type { SentRequest } from './client.ts';
import type { TransportFailure } from './exchange.ts';
import { toBytes, toSent } from './send-request.ts';

/** Returns what a HAR file has of a request of the run, and of its response. */
export function toSentExchange({ request, sent, startedAt, ms }: SentRequest): SentExchange {
  const { response, failure, sentHeaders = request.headers } = sent;
  const code = failure?.kind === 'timeout' ? 'upstream_timeout' : 'upstream_failed';
  return {
    startedAt,
    ms,
    request: {
      method: request.method,
      url: `${request.base}${toSent(request).path}`,
      headers: Object.entries(sentHeaders),
      body: toBytes(request),
    },
    response: response && {
      status: response.status,
      headers: Object.entries(response.headers),
      body: isDecoded(failure, response.headers) ? response.body : undefined,
    },
    failure: failure && response === undefined ? ({ code, message: failure.reason } as const) : undefined,
    comment: failure?.reason ?? '',
  };
}

/** Returns whether the body of a response is without content codings: what is cut or wrong was not decoded. */
function isDecoded(
  failure: TransportFailure | undefined,
  headers: Readonly<Record<string, string>>,
): boolean {
  return failure === undefined || failure.kind === 'message' || headers['content-encoding'] === undefined;
}
