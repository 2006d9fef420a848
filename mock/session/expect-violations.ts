import type { JournalEntry } from '../../common/journal/journal-entry.ts';
import { type JournalViolation, printMessage } from '../../common/journal/violation.ts';
import { countOf } from '../../common/text/count-of.ts';
import { USUAL_REQUESTS } from '../journal/request-filter.ts';
import type { ViolationFilter } from '../journal/violations.ts';

const MOST_LISTED = 20;

/** @throws Error that lists the violations, if there are any. */
export function expectNone(found: readonly JournalViolation[]): void {
  if (found.length === 0) return;
  const count = countOf(found.length, 'violation');
  const lines = found.slice(0, MOST_LISTED).map(printViolation);
  throw new Error([`${count} of the contract:`, ...lines].join('\n  '));
}

/**
 * @param size how many requests the journal keeps.
 * @throws Error if the checked proxy has seen no request of the operation: there are no violations that it could find.
 */
export function expectSomeChecked(
  all: readonly Pick<JournalEntry, 'isChecked' | 'operation'>[],
  { operation }: ViolationFilter = {},
  size = USUAL_REQUESTS,
): void {
  const requests = all.filter((one) => operation === undefined || one.operation === operation);
  const isOne = ({ isChecked }: (typeof all)[number]) => isChecked === true;
  // A full journal has only the latest requests: an earlier one of the operation may have been checked.
  const isFull = all.length >= size;
  if (requests.some(isOne) || (requests.length === 0 && isFull && all.some(isOne))) return;
  const of = operation === undefined ? '' : ` of ${operation}`;
  const sent =
    requests.length === 1
      ? `The only request${of} was sent`
      : `All ${requests.length} requests${of} were sent`;
  const what = requests.length === 0 ? `The journal has no request${of}` : `${sent} past the checked proxy`;
  throw new Error(`${what}, so nothing was checked. Use the checked URL as the base URL of the app.`);
}

function printViolation(violation: JournalViolation): string {
  const { operation, place, rule, method, url, status } = violation;
  const request = `(${method} ${url}, ${status ?? 'not answered'})`;
  return `${operation ?? '-'} ${place} ${rule}: ${printMessage(violation)} ${request}`;
}
