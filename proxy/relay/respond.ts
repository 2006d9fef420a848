import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Refusal, Violation } from '../exchange.ts';
import { UpstreamError } from './forward-request.ts';

/** The most violations that a message names. */
const MOST_NAMED = 5;

/** Says why a client gets another answer than the upstream's. */
export function toRefusal(side: 'request' | 'response', violations: readonly Violation[]): Refusal;
export function toRefusal(side: 'upstream', error: UpstreamError): Refusal;
export function toRefusal(
  side: 'request' | 'response' | 'upstream',
  cause: readonly Violation[] | UpstreamError,
): Refusal {
  if (cause instanceof UpstreamError) {
    const code = cause.status === 504 ? 'upstream_timeout' : 'upstream_failed';
    return { status: cause.status, code, message: cause.message };
  }
  const message = `The ${side} is not what the contract allows: ${nameViolations(cause)}.`;
  if (side === 'response') return { status: 502, code: 'response_violation', message };
  // The contract itself says how a request without its key is answered.
  const errors = cause.filter(({ severity }) => severity === 'error');
  const isKeyAlone = errors.every(({ code }) => code === '401');
  return { status: isKeyAlone ? 401 : 400, code: isKeyAlone ? 'unauthorized' : 'request_violation', message };
}

function nameViolations(violations: readonly Violation[]): string {
  const errors = violations.filter(({ severity }) => severity === 'error');
  const named = errors.slice(0, MOST_NAMED).map(({ location, code, message }) => {
    const rule = [location.join('.'), code].filter((part) => part !== undefined).join(' ');
    return `${message} (${rule})`;
  });
  const more = errors.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Answers with an `Error` body; `added` are headers beside its own. */
export function refuse(
  response: ServerResponse,
  { status, code, message }: Refusal,
  added: readonly string[] = [],
): void {
  const body = JSON.stringify({ code, message, status });
  const length = String(Buffer.byteLength(body));
  // With a reason of its own: one that was refused may be what brought it here.
  response
    .writeHead(status, STATUS_CODES[status], [
      'Content-Type',
      'application/json',
      'Content-Length',
      length,
      ...added,
    ])
    .end(body);
}
