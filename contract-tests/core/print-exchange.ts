import type { Exchange, SuiteRequest } from './exchange.ts';

/** The longest body that is shown, in characters. */
const LONGEST_BODY = 2_000;

/** Prints a request as it goes over the wire, as far as the suite wrote it. */
export function printRequest({ method, base, path, headers, body }: SuiteRequest): string {
  return [`${method} ${base}${path}`, ...printHeaders(headers), '', shorten(body ?? '')].join('\n').trimEnd();
}

/** Prints a response, or why there was none. */
export function printResponse({ response, failure }: Exchange): string {
  if (response === undefined) return `No answer: ${failure}`;
  const body = shorten(response.body.toString('utf8'));
  return [`HTTP ${response.status}`, ...printHeaders(response.headers), '', body].join('\n').trimEnd();
}

function printHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function shorten(text: string): string {
  const rest = text.length - LONGEST_BODY;
  return rest > 0 ? `${text.slice(0, LONGEST_BODY)}… (${rest} more characters)` : text;
}
