import { type ErrorKind, errorKinds } from '../http/error-kinds.ts';
import { errorStatuses } from '../http/errors.ts';
import type { FreeValues } from './free-values.ts';

/**
 * The code of Errors for each status, or for each kind of refusal with a status, such as
 * `{ "404": "NO_PET", "404 path": "NO_ROUTE" }`. A kind without a code has that of its status, and a status without one the usual code.
 */
export type ErrorCodes = Readonly<Record<string, string>>;

/** Writes a code in each style. */
export const codeStyles = {
  snake: (code: string) => code,
  upper: (code: string) => code.toUpperCase(),
  dotted: (code: string) => code.replaceAll('_', '.'),
} as const;

/** Code that a deployment may have made up, without what could be a sentence or an address. */
const CODE = '^[A-Za-z0-9_.:-]{1,64}$';

const kinds = Object.entries(errorKinds).map(([status, ofStatus]) => `${status} (?:${ofStatus.join('|')})`);

/** Status of an Error, or a status and a kind of refusals. */
const KEY = `^(?:[45][0-9]{2}|${kinds.join('|')})$`;

/** Returns whether a code can be a value: it has at most 64 letters, digits, and the signs `_`, `-`, `.` and `:`. */
export function isCode(code: unknown): code is string {
  return typeof code === 'string' && new RegExp(CODE).test(code);
}

/** Values that are codes for each status. */
export const freeCodes: FreeValues<ErrorCodes> = {
  expected:
    'an object with a code of up to 64 letters, digits and _ - . : for each status, or for a status and a kind of refusals',
  examples: [{ '404': 'NO_PET' }, { '404 animal': 'NO_PET' }],
  schema: {
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: KEY },
    additionalProperties: { type: 'string', pattern: CODE },
  },
  has: (value): value is ErrorCodes => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const entries = Object.entries(value);
    return entries.length > 0 && entries.every(([key, code]) => new RegExp(KEY).test(key) && isCode(code));
  },
  isSameLearned: hasSameCodes,
  does: (codes) =>
    `sends ${Object.entries(codes)
      .map(([key, code]) => `${code} with ${key}`)
      .join(', ')}`,
};

/** A refusal, with the code of the default behaviour. */
interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly kind?: ErrorKind | undefined;
}

/** Returns the code that a deployment sends for a refusal. */
export function chooseCode(
  value: keyof typeof codeStyles | ErrorCodes,
  { code, status, kind }: Refusal,
): string {
  if (typeof value !== 'object') return codeStyles[value](code);
  return value[`${status} ${kind}`] ?? value[status] ?? code;
}

/** Returns whether two deployments may send the same codes, as far as both were seen: a run may not see each status and kind. */
function hasSameCodes(one: ErrorCodes, other: ErrorCodes): boolean {
  const isCompatible = (codes: ErrorCodes, [key, code]: [string, string]) => {
    const [status = '', kind] = key.split(' ');
    const own = codes[key];
    if (own !== undefined) return own === code;
    if (kind !== undefined) return true;
    // The code of a whole status was seen for some kinds of refusals.
    const ofKinds = Object.entries(codes).filter(([name]) => name.startsWith(`${status} `));
    return ofKinds.length === 0 || ofKinds.some(([, ofKind]) => ofKind === code);
  };
  const entriesOf = (codes: ErrorCodes) => Object.entries(codes);
  return (
    entriesOf(one).every((entry) => isCompatible(other, entry)) &&
    entriesOf(other).every((entry) => isCompatible(one, entry))
  );
}

/** Lists the codes of a mock with the default codes for a status, the usual one first. */
export function listUsualCodes(status: number): readonly string[] {
  return Object.entries(errorStatuses).flatMap(([code, known]) => (known === status ? [code] : []));
}
