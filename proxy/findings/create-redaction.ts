import { createHideKeys, findKeysIn } from '../../common/hide-keys.ts';
import type { ExchangeRequest, Judge, Violation } from '../exchange.ts';

/** Hides the keys of one request, and those that are configured, in a text. */
export type Hide = (text: string) => string;

/** Creates what gives the `Hide` of a request; requests with one Authorization share it. */
export function createRedaction(apiKeys: readonly string[]): (request: ExchangeRequest) => Hide {
  let last = { authorization: '', hide: createHideKeys(apiKeys) };
  return ({ headers: { authorization = '' } }) => {
    if (authorization !== last.authorization) {
      last = { authorization, hide: createHideKeys([...apiKeys, ...findKeysIn(authorization)]) };
    }
    return last.hide;
  };
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

/** Hides parameters whose names say that they hold a key: some send one there, where it does not belong. */
export function hideParameters(target: string): string {
  return target.replaceAll(/([?&])([^=&?]*)=([^&]*)/g, (parameter, mark, name) =>
    /key|token|secret|passw|auth/i.test(name) ? `${mark}${name}=***` : parameter,
  );
}
