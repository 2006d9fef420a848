import { ApiError } from '../api/errors.ts';
import { delayText } from './delay.ts';

/** What a request asks for itself. */
export interface Preference {
  readonly status?: number;
  readonly delay?: string;
  /** What was obeyed, as it goes into `Preference-Applied`. */
  readonly applied: string;
}

const known: Readonly<Record<string, RegExp>> = {
  code: /^[45]\d\d$/,
  delay: /^\d+(?:-\d+)?$/,
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
    const isKnown = Object.hasOwn(known, preference) && known[preference]?.test(value);
    if (!isKnown || (preference === 'delay' && !delayText.isValid(value))) throw refuse(written.trim());
    if (!preferences.has(preference)) preferences.set(preference, value);
  }
  const [code, delay] = [preferences.get('code'), preferences.get('delay')];
  return {
    ...(code === undefined ? {} : { status: Number(code) }),
    ...(delay === undefined ? {} : { delay }),
    applied: [...preferences].map(([name, value]) => `${name}=${value}`).join(', '),
  };
}

function refuse(written: string): ApiError {
  const list = `code=<400 to 599>, as in code=500, and delay=<${delayText.expected}>, as in delay=2000`;
  const message = `The mock cannot do what Prefer asks for, ${JSON.stringify(written.slice(0, 40))}; it knows ${list}.`;
  return new ApiError('invalid_request', message);
}
