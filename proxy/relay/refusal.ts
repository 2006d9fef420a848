import { ApiError, describeValue } from '../../common/http/api-error.ts';
import { findConnectionHint } from '../../common/http/find-connection-hint.ts';
import type { Headers } from '../../common/http/headers.ts';
import type { Violation } from '../../common/journal/violation.ts';
import { ProxyError } from '../../common/tls/connection.ts';
import { describeFailedHandshake, describeWrongHost } from '../../common/tls/describe-tls-error.ts';
import { findOtherCoding } from '../bytes/raw-headers.ts';
import { keyRules, type Refusal } from '../exchange.ts';
import { LARGEST_RESPONSE_HEAD } from './relay-config.ts';

export const isError = ({ severity }: Violation): boolean => severity === 'error';

/** Number of violations that a refusal names. */
const MOST_NAMED = 5;

export function refuseViolations(side: 'request' | 'response', violations: readonly Violation[]): Refusal {
  const errors = violations.filter(isError);
  const describe = ({ location, rule, message }: Violation) => `${message} (${location.join('.')} ${rule})`;
  const named = errors.slice(0, MOST_NAMED).map(describe).join('. ');
  const message = `The ${side} violates the contract. ${named}.`;
  if (side === 'response') return { code: 'response_violation', message };
  const ofKey: readonly string[] = Object.values(keyRules);
  const isKeyOnly = errors.every(({ rule }) => ofKey.includes(rule));
  return { code: isKeyOnly ? 'unauthorized' : 'request_violation', message };
}

/** Refuses a path that is not under the base path, or may be decoded to one that is not. */
export function refusePath({ pathname }: URL): Refusal {
  const message = `The path is not under ${pathname}, where the contract begins, so it is not forwarded.`;
  return { code: 'not_found', message };
}

/** Refuses a request whose body is coded for its connection. Source: RFC 9112 section 6.1 */
export function refuseCoding(headers: Headers): Refusal | undefined {
  const coding = findOtherCoding(headers);
  if (coding === undefined) return undefined;
  const instead = 'Send the body with "chunked" only.';
  const message = `The transfer coding ${describeValue(coding)} cannot be forwarded. ${instead}`;
  return { code: 'not_implemented', message };
}

/** The upstream sends nothing more. */
export class UpstreamSilence extends ApiError {
  /** @param timeout in ms */
  constructor(timeout: number) {
    super('upstream_timeout', `The upstream was silent for ${timeout} ms.`);
  }
}

const hints = [
  [/alert/i, 'it may require a client certificate, or another one (--client-cert).'],
  [
    /CERT(?!_ALTNAME)|SIGNATURE/,
    'if its certificate is yours, --ca names an authority, --insecure trusts any.',
  ],
] as const;

/** What Node.js adds to the message about a certificate. It is not for users of an executable. */
const ADVICE_OF_NODE = /; if the root CA is installed locally.*/s;

export function refuseFailure(error: NodeJS.ErrnoException, { origin }: URL): Refusal {
  const { code = '', message } = error;
  if (error instanceof ApiError)
    return { code: error.code, message, isBroken: error instanceof UpstreamSilence };
  const start = `The upstream ${origin} failed: `;
  const ofTls = describeWrongHost(error) ?? describeFailedHandshake(error);
  if (ofTls !== undefined) return { code: 'upstream_failed', message: `${start}${ofTls}.` };
  const known = `${code} ${message}`;
  const hint = findConnectionHint(known) ?? hints.find(([pattern]) => pattern.test(known))?.[1];
  const tooLarge = `its headers are larger than ${LARGEST_RESPONSE_HEAD / 1024} KiB`;
  const said = code === 'HPE_HEADER_OVERFLOW' ? tooLarge : message;
  // The error of a host with several addresses has only a code.
  const reason = said.replace(ADVICE_OF_NODE, '').trim() || code;
  const end = hint === undefined ? '.' : `; ${hint}`;
  // An end of the connection, Node's parser, and what we refuse to take for a response. Without a connection, nobody got the request.
  const isOfService = !(error instanceof ProxyError) && error.syscall !== 'connect';
  const isBroken = isOfService && /^(?:$|ECONNRESET$|EPIPE$|HPE_)/.test(code);
  return { code: 'upstream_failed', message: `${start}${reason}${end}`, isBroken };
}
