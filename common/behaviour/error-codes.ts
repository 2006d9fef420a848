import { errorStatuses } from '../http/errors.ts';
import type { FreeValues } from './free-values.ts';

/** The code of Errors for each status, such as `{ "404": "NO_PET" }`. Other statuses have the usual code. */
export type ErrorCodes = Readonly<Record<string, string>>;

/** Writes a code in each style. */
export const codeStyles = {
  snake: (code: string) => code,
  upper: (code: string) => code.toUpperCase(),
  dotted: (code: string) => code.replaceAll('_', '.'),
} as const;

/** Code that a deployment may have made up, without what could be a sentence or an address. */
const CODE = '^[A-Za-z0-9_.:-]{1,64}$';

/** Status of an Error. */
const STATUS = '^[45][0-9]{2}$';

/** Returns whether a code can be a value: it has at most 64 letters, digits, and the signs `_`, `-`, `.` and `:`. */
export function isCode(code: unknown): code is string {
  return typeof code === 'string' && new RegExp(CODE).test(code);
}

/** Values that are codes for each status. */
export const freeCodes: FreeValues<ErrorCodes> = {
  expected: 'an object with a code of up to 64 letters, digits and _ - . : for each status',
  examples: [{ '404': 'NO_PET' }],
  schema: {
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: STATUS },
    additionalProperties: { type: 'string', pattern: CODE },
  },
  has: (value): value is ErrorCodes => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const entries = Object.entries(value);
    return (
      entries.length > 0 && entries.every(([status, code]) => new RegExp(STATUS).test(status) && isCode(code))
    );
  },
  // A run may not see each status, so only those that both have are compared.
  isSameLearned: (one, other) =>
    Object.entries(one).every(([status, code]) => (other[status] ?? code) === code),
  does: (codes) =>
    `sends ${Object.entries(codes)
      .map(([status, code]) => `${code} with ${status}`)
      .join(', ')}`,
};

/** Returns the code that a deployment sends in place of a code of the default behaviour. */
export function chooseCode(
  value: keyof typeof codeStyles | ErrorCodes,
  code: string,
  status: number,
): string {
  if (typeof value === 'object') return value[status] ?? code;
  return codeStyles[value](code);
}

/** Lists the codes of a mock with the default codes for a status, the usual one first. */
export function listUsualCodes(status: number): readonly string[] {
  return Object.entries(errorStatuses).flatMap(([code, known]) => (known === status ? [code] : []));
}
