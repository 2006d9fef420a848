import { printCurl, quoteForShell } from '../../common/print-curl.ts';
import type { Exchange, SuiteRequest } from './exchange.ts';
import { hideKeys, type Secrets } from './hide-keys.ts';

/** The exchange that shows a failure, as text without the key. */
export interface Evidence {
  readonly request: string;
  readonly response: string;
  /** Reproduces the request; the key is `$ANIMAL_STORE_API_KEY`. */
  readonly curl: string;
  /** In milliseconds. */
  readonly ms: number;
}

/** The longest body that is shown, in characters. */
const LONGEST_BODY = 2_000;

/** Prints an exchange as what shows a failure, without any key. */
export function createEvidence(exchange: Exchange, secrets: Secrets): Evidence {
  const { method, base, path, headers, body } = exchange.request;
  const hide = (text: string) => hideKeys(text, secrets);
  return {
    request: hide(printMessage(`${method} ${base}${path}`, headers, body)),
    response: hide(printResponse(exchange)),
    curl: printCurl({
      method,
      url: hide(`${base}${path}`),
      headers: Object.entries(headers).map(([name, value]) => quoteHeader(`${name}: ${value}`, secrets)),
      body: body === undefined ? undefined : hide(body),
      options: ['-i'],
    }),
    ms: exchange.ms,
  };
}

/** Prints a response, or why there was none; and why it is not whole. */
function printResponse({ response, failure }: Exchange): string {
  if (response === undefined) return `No answer: ${failure}`;
  const text = printMessage(`HTTP ${response.status}`, response.headers, response.body.toString('utf8'));
  return failure === undefined ? text : `${text}\n(${failure})`;
}

function printMessage(start: string, headers: SuiteRequest['headers'], body = ''): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const rest = body.length - LONGEST_BODY;
  const shown = rest > 0 ? `${body.slice(0, LONGEST_BODY)}… (${rest} more characters)` : body;
  return [start, ...lines, '', shown].join('\n').trimEnd();
}

/** The key is a variable of the shell; a wrong key says what it is. */
function quoteHeader(header: string, secrets: Secrets): string {
  const { apiKey } = secrets;
  const parts = header.split(apiKey).map((part) => hideKeys(part, secrets));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: It is for the shell.
  return quoteForShell(parts.join(apiKey), [[apiKey, '${ANIMAL_STORE_API_KEY}']]);
}
