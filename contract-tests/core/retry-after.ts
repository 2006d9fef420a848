import type { SuiteResponse } from './exchange.ts';

/** The longest that a deployment may ask to wait, in milliseconds. */
export const LONGEST_WAIT = 60_000;

/** How long to wait after a 429 that does not say it, in milliseconds. */
const USUAL_WAIT = 1000;

/** Why nothing can be tried. */
export const TOO_MANY_REQUESTS =
  'the deployment answers 429, Too Many Requests: try a lower rate (--max-rate) or later';

/** How long to wait after a 429, in milliseconds. Source: RFC 9110 section 10.2.3 */
export function readRetryAfter({ headers }: Pick<SuiteResponse, 'headers'>): number {
  const value = headers['retry-after'] ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  // A date has no fractions of a second, and so may be past when it arrives.
  return Number.isNaN(until) ? USUAL_WAIT : Math.max(0, until - Date.now());
}
