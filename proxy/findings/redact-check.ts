import { createHideKeys, findSecrets, hideParameters } from '../../common/text/hide-keys.ts';
import type { CheckRequest, ExchangeRequest, Violation } from '../exchange.ts';

/** Maximum number of characters of a message, which may quote a path. */
const LONGEST_MESSAGE = 400;
export type Hide = (text: string) => string;

/** Returns a function that hides the configured keys and the keys of a request. */
export function createHide({ headers }: ExchangeRequest, apiKeys: readonly string[]): Hide {
  return createHideKeys([...apiKeys, ...findSecrets(Object.entries(headers))]);
}

/** Returns the same check without keys in its violations, which clients get in `sl-violations` and in refusals. */
export function redactCheck(check: CheckRequest, apiKeys: readonly string[]): CheckRequest {
  return (request) => {
    const redact = (violations: readonly Violation[]): readonly Violation[] => {
      if (violations.length === 0) return violations;
      const hide = createHide(request, apiKeys);
      return violations.map((violation) => ({
        ...violation,
        location: violation.location.map(hide),
        message: hideParameters(hide(violation.message)).slice(0, LONGEST_MESSAGE),
      }));
    };
    const { operationId, violations, checkResponse } = check(request);
    const checkRedacted: typeof checkResponse = (response) => redact(checkResponse(response));
    return { operationId, violations: redact(violations), checkResponse: checkRedacted };
  };
}
