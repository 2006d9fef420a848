import type { Refusal, Violation } from '../exchange.ts';
import { UpstreamError } from './upstream.ts';

/** The most violations that a message names. */
const MOST_NAMED = 5;

/** Whether a violation is an error, for which an exchange is refused under `--errors`. */
export function isError({ severity }: Violation): boolean {
  return severity === 'error';
}

/** Says why an exchange is refused for what its request or its response violates. */
export function refuseViolations(side: 'request' | 'response', violations: readonly Violation[]): Refusal {
  const errors = violations.filter(isError);
  const message = `The ${side} is not what the contract allows: ${nameViolations(errors)}.`;
  if (side === 'response') return { code: 'response_violation', message };
  // The contract itself says how a request without its key is answered.
  return { code: errors.every(({ code }) => code === '401') ? 'unauthorized' : 'request_violation', message };
}

/** Says why a request is not handed on: what is beside the contract may be nobody's business. */
export function refusePath({ pathname }: URL): Refusal {
  const message = `The path is not under ${pathname}, where the contract begins`;
  return {
    code: 'not_found',
    message: `${message}. To forward it, use --all-paths, or allPaths in a program.`,
  };
}

/** Says why a response that is none of HTTP is not handed back. */
export function refuseFault({ message }: Violation): Refusal {
  return { code: 'upstream_failed', message: `The response could not be forwarded: ${message}.` };
}

/** Says why there is no response of the upstream to hand back. */
export function refuseFailure(error: unknown): Refusal {
  const { message } = error as Error;
  if (error instanceof UpstreamError) return { code: error.code, message };
  return { code: 'upstream_failed', message: `It could not be forwarded: ${message}.` };
}

function nameViolations(errors: readonly Violation[]): string {
  const named = errors.slice(0, MOST_NAMED).map(({ location, code, message }) => {
    const rule = [location.join('.'), code].filter((part) => part !== undefined).join(' ');
    return `${message} (${rule})`;
  });
  const more = errors.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
