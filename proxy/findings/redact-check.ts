import { readSessionHeader } from '../../common/http/session-names.ts';
import { createHideKeys, findSecrets, hideParameters, isKeyName } from '../../common/text/hide-keys.ts';
import {
  type Check,
  type CheckRequest,
  type Exchange,
  type ExchangeRequest,
  type ExchangeSummary,
  type Hide,
  isOfFault,
} from '../exchange.ts';

/** Returns a function that hides the configured keys and the keys of a request. */
export function createHide({ headers, target, query }: ExchangeRequest, apiKeys: readonly string[]): Hide {
  const decoded = [...new URLSearchParams(query)].flatMap(([name, value]) =>
    isKeyName(name) ? [value] : [],
  );
  return createHideKeys([...apiKeys, ...findSecrets(Object.entries(headers), target), ...decoded]);
}

/** Returns the same check without keys in its violations, which clients get in refusals. */
export function redactCheck(check: Check, apiKeys: readonly string[]): CheckRequest {
  return (request) => {
    let hide: Hide | undefined;
    // Few exchanges have violations, and spelling the keys takes time.
    return check(request, (text) => {
      hide ??= createHide(request, apiKeys);
      return hide(text);
    });
  };
}

/** Returns what is shown of an exchange next to its violations. */
export function summarize(exchange: Exchange, apiKeys: readonly string[]): ExchangeSummary {
  const { request, response, startedAt, recorded } = exchange;
  const hide = createHide(request, apiKeys);
  const session = readSessionHeader(request.headers);
  return {
    method: request.method,
    target: hideParameters(hide(request.target)),
    session: session && hide(session),
    status: response?.status,
    startedAt,
    sentAs: response?.sentAs,
    isMadeByFault: isOfFault(exchange),
    recorded,
  };
}
