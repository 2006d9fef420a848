import type { Headers, Violation } from '../exchange.ts';

/** The longest value of the header, in bytes: servers and clients accept 16 KiB of headers and often 8. */
const LONGEST = 6000;

/**
 * Prints violations as the value of `sl-violations`: JSON in ASCII, in the shape of Prism's own. What does not fit is
 * counted in a last element whose code is `more`.
 */
export function printViolationHeader(violations: readonly Violation[]): string {
  const all = violations.map(printViolation);
  const whole = printArray(all);
  if (whole.length <= LONGEST) return whole;
  const kept: string[] = [];
  for (const text of all) {
    if (printArray([...kept, text, printRest(all.length)]).length > LONGEST) break;
    kept.push(text);
  }
  return printArray([...kept, printRest(all.length - kept.length)]);
}

/**
 * The headers that tell of violations: `sl-violations` and, where the upstream lets another origin read its response,
 * the leave to read that header too.
 *
 * @param headers those of the upstream's response.
 */
export function toViolationHeaders(violations: readonly Violation[], headers: Headers): string[] {
  if (violations.length === 0) return [];
  const isForeign = headers['access-control-allow-origin'] !== undefined;
  const leave = isForeign ? ['Access-Control-Expose-Headers', 'sl-violations'] : [];
  return ['sl-violations', printViolationHeader(violations), ...leave];
}

function printViolation({ location, severity, code, message }: Violation): string {
  return toAscii({ location, severity: severity === 'error' ? 'Error' : 'Warning', code, message });
}

function printRest(count: number): string {
  return toAscii({
    location: [],
    severity: 'Information',
    code: 'more',
    message: `${count} more violations`,
  });
}

function printArray(elements: readonly string[]): string {
  return `[${elements.join(',')}]`;
}

/** JSON that any header may hold: a character that is not ASCII is escaped, as it may be in every JSON string. */
function toAscii(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
