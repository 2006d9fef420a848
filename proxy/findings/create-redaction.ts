import { createHideKeys, findSecrets } from '../../common/hide-keys.ts';
import type { ExchangeRequest, Judge, Violation } from '../exchange.ts';

/** Hides the keys of one request, and those that are configured, in a text. */
export type Hide = (text: string) => string;

/** Creates what gives the `Hide` of a request, by its Authorization and what else says that it holds a key; those with the same share it. */
export function createRedaction(apiKeys: readonly string[]): (request: ExchangeRequest) => Hide {
  return ({ headers }) => createHideKeys(apiKeys, findSecrets(Object.entries(headers)));
}

/** The same judge, with no key in what it says: clients get it too, in `sl-violations` and in refusals. */
export function redactJudge(judge: Judge, hideOf: ReturnType<typeof createRedaction>): Judge {
  return (request) => {
    const hideAll = (violations: readonly Violation[]) =>
      violations.map((violation) => redactViolation(violation, hideOf(request)));
    const { operationId, violations, judgeResponse } = judge(request);
    return {
      operationId,
      violations: hideAll(violations),
      judgeResponse: (response) => hideAll(judgeResponse(response)),
    };
  };
}

/** A violation, with no key in what it says. */
export function redactViolation(violation: Violation, hide: Hide): Violation {
  return { ...violation, location: violation.location.map(hide), message: hide(violation.message) };
}
