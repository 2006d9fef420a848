import { ApiError } from '../../common/api-error.ts';
import { oneOf, type ValueKind } from '../../common/value-kinds.ts';
import { delayText } from './delay.ts';
import { type BrokenBody, brokenBodies, type Drop, drops } from './endings.ts';

/** What a request asks for itself. */
export interface Preference {
  readonly status?: number;
  readonly delay?: string;
  readonly drop?: Drop;
  readonly body?: BrokenBody;
  /** What was obeyed, as it goes into `Preference-Applied`. */
  readonly applied: string;
}

const known: Readonly<Record<string, ValueKind<unknown>>> = {
  code: {
    expected: '400 to 599',
    isValid: (value): value is unknown => /^[2-5]\d\d$/.test(String(value)),
  },
  delay: delayText,
  drop: oneOf(drops),
  body: oneOf(brokenBodies),
};

/**
 * Reads `Prefer: code=500, delay=2000`; of a preference that is given twice the first counts. Source: RFC 7240 section 2
 * @throws ApiError `invalid_request` for what the mock cannot obey, with a list of what it can.
 */
export function readPrefer(header: string): Preference {
  const preferences = new Map<string, string>();
  for (const written of header.split(',')) {
    const [, name = '', value = ''] = /^\s*([\w-]+)\s*=\s*"?([\w-]*)"?\s*(?:;|$)/.exec(written) ?? [];
    const preference = name.toLowerCase();
    if (!Object.hasOwn(known, preference) || !known[preference]?.isValid(value)) throw refuse(written.trim());
    if (!preferences.has(preference)) preferences.set(preference, value);
  }
  const { code, ...others } = Object.fromEntries(preferences);
  const isError = code === undefined || Number(code) >= 400;
  const isBroken = others.drop !== undefined && (code !== undefined || others.body !== undefined);
  if (isBroken || (!isError && others.body === undefined)) throw refuse(header);
  return {
    ...(code === undefined ? {} : { status: Number(code) }),
    ...others,
    applied: [...preferences].map(([name, value]) => `${name}=${value}`).join(', '),
  };
}

function refuse(written: string): ApiError {
  const list = Object.entries(known).map(([name, { expected }]) => `${name}=<${expected}>`);
  const message = `The mock cannot do what Prefer asks for, ${JSON.stringify(written.slice(0, 40))}; it knows ${list.join(', ')}; a drop goes alone, or with a delay.`;
  return new ApiError('invalid_request', message);
}
