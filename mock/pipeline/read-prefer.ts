import { isDelay } from '../session/delay.ts';

const codePattern = /(?:^|,)\s*code\s*=\s*"?([45]\d\d)"?\s*(?:[,;]|$)/i;

const delayPattern = /(?:^|,)\s*delay\s*=\s*"?([\d-]+)"?\s*(?:[,;]|$)/i;

/**
 * Reads `Prefer: code=500, delay=2000`. Unknown preferences, and values that cannot be met, are ignored. `applied` is the value
 * of Preference-Applied. Source: RFC 7240 section 2
 */
export function readPrefer(header = '') {
  const code = codePattern.exec(header)?.[1];
  const given = delayPattern.exec(header)?.[1];
  const delay = isDelay(given) ? given : undefined;
  const applied = [code && `code=${code}`, delay && `delay=${delay}`].filter(Boolean).join(', ');
  return { status: code === undefined ? undefined : Number(code), delay, applied: applied || undefined };
}
