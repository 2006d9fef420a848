import { Exchange, type SuiteRequest, type TransportFailure } from '../client/exchange.ts';
import { createTarget } from './run-suite.ts';

const target = createTarget();

/** What an exchange has that is not usual. */
export interface Told {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly failure?: TransportFailure['kind'];
  readonly method?: string;
  readonly path?: string;
  readonly sent?: string;
  readonly isAuthorized?: boolean;
  readonly isAtAnyRate?: boolean;
  readonly number?: number;
}

/** Creates an exchange. Without a status it has no response. */
export function createExchange(told: Told): Exchange {
  const {
    status,
    headers = {},
    body = '',
    failure,
    method = 'GET',
    path = '/pets',
    sent,
    isAuthorized = false,
    isAtAnyRate = false,
    number = 0,
  } = told;
  const request: SuiteRequest = { method, base: target.baseUrl, path, headers: {}, body: sent, isAuthorized };
  const response =
    status === undefined ? undefined : { status, headers, body: Buffer.from(body), isAtAnyRate };
  const why = failure && { kind: failure, reason: `why ${failure}` };
  return new Exchange(request, { response, failure: why, traceId: '0af7' }, target, 100, 7, number);
}
