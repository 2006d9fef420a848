import { oneOf, type ValueKind } from '../../common/value-kinds.ts';
import { delayText } from './delay.ts';
import { type BrokenBody, brokenBodies, type Drop, drops } from './endings.ts';

/** What a request asks for itself. */
export interface Preference {
  readonly status?: number;
  readonly delay?: string;
  readonly drop?: Drop;
  readonly body?: BrokenBody;
  /** The preferences that are met, as they go into `Preference-Applied`; empty if there are none. */
  readonly applied: string;
}

const known: Readonly<Record<string, ValueKind<unknown>>> = {
  code: {
    expected: 'a status from 200 to 599',
    isValid: (value): value is unknown => /^[2-5]\d\d$/.test(String(value)),
  },
  delay: delayText,
  drop: oneOf(drops),
  body: oneOf(brokenBodies),
};

/** Splits a header at its commas, not at those in quotes. */
const element = /(?:"(?:\\.|[^"\\])*(?:"|$)|[^",])+/g;

/** A preference without a value, or with one that cannot be met, still counts as the first of its name. */
const preferencePattern = /^\s*([\w-]+)(?=[\s=;]|$)(?:\s*=\s*("?)([\w-]*)\2\s*(?:;|$))?/;

/**
 * Reads `Prefer: code=500, delay=2000`. An unknown preference is ignored, and so is a value that cannot be met; if a
 * preference is repeated, the first one counts. Source: RFC 7240 section 2
 */
export function readPrefer(header: string): Preference {
  const preferences = new Map<string, string>();
  for (const [written] of header.matchAll(element)) {
    const [, name = '', , value = ''] = preferencePattern.exec(written) ?? [];
    const preference = name.toLowerCase();
    if (Object.hasOwn(known, preference) && !preferences.has(preference)) preferences.set(preference, value);
  }
  for (const [name, value] of preferences) if (!known[name]?.isValid(value)) preferences.delete(name);
  // Only one of them can end a request.
  if (preferences.has('code') || preferences.has('body')) preferences.delete('drop');
  if (Number(preferences.get('code')) < 400 && !preferences.has('body')) preferences.delete('code');
  const { code, ...others } = Object.fromEntries(preferences);
  return {
    ...(code === undefined ? {} : { status: Number(code) }),
    ...others,
    applied: [...preferences].map(([name, value]) => `${name}=${value}`).join(', '),
  };
}
