import { hideKeys, toOneLine } from '../../common/hide-keys.ts';
import type { LogFormat } from '../../common/value-kinds.ts';
import type { JudgedRequest } from '../exchange.ts';
import type { Finding } from './findings.ts';
import { hideSecrets, keysOf } from './print-curl.ts';

/** The longest target that a line holds, in characters. */
const LONGEST_TARGET = 200;

/**
 * Prints a violation as one line of the log, without its line break. It holds no key.
 *
 * @param finding what it has come to, counted until now.
 * @param apiKeys keys that are kept out of it, beside that of the request.
 */
export function printViolation(
  format: Exclude<LogFormat, 'silent'>,
  time: Date,
  { severity, operationId, place, rule, message, count }: Finding,
  request: JudgedRequest,
  apiKeys: readonly string[],
): string {
  const url = hideSecrets(hideKeys(request.target, [...keysOf(request), ...apiKeys])).slice(
    0,
    LONGEST_TARGET,
  );
  const entry = {
    time: time.toISOString(),
    violation: severity,
    operation: operationId ?? null,
    place,
    rule,
    message,
    count,
    method: request.method,
    url,
  };
  if (format === 'json') return JSON.stringify(entry);
  const what = `${entry.time.slice(11, 19)} violation ${severity} ${operationId ?? '-'} ${place} ${rule}`;
  return toOneLine(`${what}: ${message} (${count} so far; ${entry.method} ${url})`);
}
