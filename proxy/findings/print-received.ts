import { redactParameters } from '../../common/text/find-keys.ts';
import type { Received } from '../exchange.ts';
import { cutText } from './cut-text.ts';

/** Maximum number of characters of a value that are shown. */
const LONGEST_RECEIVED = 80;

/** Maximum length of a string whose beginning is shown. Only the length of a longer one is shown. */
const LONGEST_STRING = 1_000;

/** Maximum number of values of one query parameter that are shown. */
const MOST_VALUES = 3;

/** Prints what was received on one line. @param received without keys: it is cut */
export function printReceived(received: Received): string {
  // A text may be a whole URL.
  if ('text' in received) return cutText(redactParameters(received.text), LONGEST_RECEIVED);
  if ('string' in received) return quote(received.string);
  const values = listValues(received.query, received.name).map(quote);
  const others = values.length - MOST_VALUES;
  return values.slice(0, MOST_VALUES).join(', ') + (others > 0 ? ` and ${others} more` : '');
}

/** Lists the values of a query parameter. Prism writes the names of parameters in lower case. */
function listValues(query: string, name: string): string[] {
  return [...new URLSearchParams(query)].flatMap(([key, value]) =>
    key === name || key.toLowerCase() === name ? [value] : [],
  );
}

/**
 * Prints the wanted and the received value. If both look alike, such as é in two forms of Unicode, their characters are escaped
 * as `\u00e9`, so that a reader sees the difference.
 */
export function printDifference(wanted: Received, received: Received): [wanted: string, received: string] {
  const printed = [printReceived(wanted), printReceived(received)] as const;
  const [one, other] = printed.map((text) => text.normalize('NFKC'));
  return one === other ? [escapeUnicode(printed[0]), escapeUnicode(printed[1])] : [...printed];
}

function quote(text: string): string {
  return text.length > LONGEST_STRING
    ? `a string of ${text.length} characters`
    : JSON.stringify(cutText(text, LONGEST_RECEIVED));
}

function escapeUnicode(text: string): string {
  // The ellipsis is the mark of a cut.
  return text.replaceAll(/[^ -~…]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
