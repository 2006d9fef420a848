import { isDelay } from '../session/delay.ts';

const known: Readonly<Record<string, (value: string) => boolean>> = {
  code: (value) => /^[45]\d\d$/.test(value),
  delay: isDelay,
};

/** Splits a header at its commas, not at those in quotes. */
const element = /(?:"(?:\\.|[^"\\])*(?:"|$)|[^",])+/g;

/** A preference without a value, or with one that cannot be met, still counts as the first of its name. */
const preferencePattern = /^\s*([\w-]+)(?=[\s=;]|$)(?:\s*=\s*("?)([\w-]*)\2\s*(?:;|$))?/;

/**
 * Reads `Prefer: code=500, delay=2000`. Unknown preferences, and values that cannot be met, are ignored. If a preference is
 * repeated, the first one counts. `applied` is the value of Preference-Applied. Source: RFC 7240 section 2
 */
export function readPrefer(header = '') {
  const preferences = new Map<string, string>();
  for (const [written] of header.matchAll(element)) {
    const [, name = '', , value = ''] = preferencePattern.exec(written) ?? [];
    const preference = name.toLowerCase();
    if (Object.hasOwn(known, preference) && !preferences.has(preference)) preferences.set(preference, value);
  }
  for (const [name, value] of preferences) if (!known[name]?.(value)) preferences.delete(name);
  const { code, delay } = Object.fromEntries(preferences);
  const applied = [...preferences].map(([name, value]) => `${name}=${value}`).join(', ') || undefined;
  return { status: code === undefined ? undefined : Number(code), delay, applied };
}
