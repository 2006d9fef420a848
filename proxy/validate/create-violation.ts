import type { Violation } from '../../common/journal/violation.ts';
import { hideParameters } from '../../common/text/hide-keys.ts';
import type { Hide } from '../exchange.ts';

/** Maximum number of violations of a message. */
export const MAX_VIOLATIONS = 1_000;

/** Maximum number of characters of a message, which may quote a path. */
const LONGEST_MESSAGE = 400;

type ViolationParts = Omit<Violation, 'place' | 'expected' | 'missing'> &
  Partial<Pick<Violation, 'expected' | 'missing'>>;

/** Creates a violation without keys. `received` has none already, `expected` and `missing` are of the contract. */
export function createViolation(parts: ViolationParts, hide: Hide): Violation {
  const { expected, missing } = parts;
  const location = parts.location.map(hide);
  const keys = missing === undefined ? location : [...location, missing];
  const place = keys.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('.');
  const message = hideParameters(hide(parts.message)).slice(0, LONGEST_MESSAGE);
  return { ...parts, location, place, message, expected, missing };
}
