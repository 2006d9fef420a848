import { toHarmless, toOneLine } from '../../common/harmless-text.ts';
import type { LogFormat } from '../../common/value-kinds.ts';
import type { Sighting } from './findings.ts';

/** The longest target that a line holds, in characters. */
const LONGEST_TARGET = 200;

/** Prints a violation as one line of the log, without its line break. */
export function printViolation(
  format: Exclude<LogFormat, 'silent'>,
  time: Date,
  { severity, operationId, target, ...sighting }: Sighting,
): string {
  const { place, rule, message, count, method, recorded } = sighting;
  const [iso, url] = [time.toISOString(), target.slice(0, LONGEST_TARGET)];
  if (format === 'json') {
    const subject = { time: iso, violation: severity, operation: operationId ?? null };
    return toHarmless(JSON.stringify({ ...subject, place, rule, message, count, method, url, recorded }));
  }
  const what = `${iso.slice(11, 19)} violation ${severity} ${operationId ?? '-'} ${place} ${rule}`;
  const where = recorded === undefined ? '' : `log.entries[${recorded.index}] `;
  return toOneLine(`${what}: ${message} (${count} so far; ${where}${method} ${url})`);
}
