import type { Refusal, Violation } from '../exchange.ts';

/** A failure of the upstream to respond. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly code: 'upstream_failed' | 'upstream_timeout';

  /** @param cause Node's code of the failure. */
  constructor(message: string, cause?: string, code: UpstreamError['code'] = 'upstream_failed') {
    super(message, { cause });
    this.code = code;
  }
}

/** Maximum number of violations that a message names. */
const MAX_NAMED = 5;

/** Returns whether a violation is refused under `--errors`. */
export function isError({ severity }: Violation): boolean {
  return severity === 'error';
}

/** Refuses a request or a response that violates the contract. */
export function refuseViolations(side: 'request' | 'response', violations: readonly Violation[]): Refusal {
  const errors = violations.filter(isError);
  const named = errors.slice(0, MAX_NAMED).map(({ location, code, message }) => {
    const rule = [location.join('.'), code].filter((part) => part !== undefined).join(' ');
    return `${message} (${rule})`;
  });
  if (errors.length > MAX_NAMED) named.push(`and ${errors.length - MAX_NAMED} more`);
  const message = `The ${side} is not what the contract allows: ${named.join('; ')}.`;
  if (side === 'response') return { code: 'response_violation', message };
  const isKeyOnly = errors.every(({ code }) => code === '401');
  return { code: isKeyOnly ? 'unauthorized' : 'request_violation', message };
}

/** Refuses a path that is not under the base path, or may be decoded to one that is not. */
export function refusePath({ pathname }: URL): Refusal {
  const instead = 'To forward it, use --all-paths, or allPaths in a program.';
  return {
    code: 'not_found',
    message: `The path is not under ${pathname}, where the contract begins. ${instead}`,
  };
}

export function refuseFailure(error: unknown): Refusal {
  const { message } = error as Error;
  if (error instanceof UpstreamError) return { code: error.code, message };
  return { code: 'upstream_failed', message: `It could not be forwarded: ${message}.` };
}
