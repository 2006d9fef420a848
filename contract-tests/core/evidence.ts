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
  return {
    request: hideKeys(printRequest(exchange.request), secrets),
    response: hideKeys(printResponse(exchange), secrets),
    curl: printRequestAsCurl(exchange.request, secrets),
    ms: exchange.ms,
  };
}

/** Prints a request as it goes over the wire, as far as the suite wrote it. */
function printRequest({ method, base, path, headers, body = '' }: SuiteRequest): string {
  return printMessage(`${method} ${base}${path}`, headers, body);
}

/** Prints a response, or why there was none; and why it is not whole. */
function printResponse({ response, failure }: Exchange): string {
  if (response === undefined) return `No answer: ${failure}`;
  const text = printMessage(`HTTP ${response.status}`, response.headers, response.body.toString('utf8'));
  return failure === undefined ? text : `${text}\n(${failure})`;
}

function printMessage(start: string, headers: Readonly<Record<string, string>>, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const rest = body.length - LONGEST_BODY;
  const shown = rest > 0 ? `${body.slice(0, LONGEST_BODY)}… (${rest} more characters)` : body;
  return [start, ...lines, '', shown].join('\n').trimEnd();
}

function printRequestAsCurl(request: SuiteRequest, secrets: Secrets): string {
  const { method, base, path, headers, body } = request;
  const lines = Object.entries(headers).map(([name, value]) => quoteHeader(`${name}: ${value}`, secrets));
  const url = hideKeys(`${base}${path}`, secrets);
  const shown = body === undefined ? undefined : hideKeys(body, secrets);
  return printCurl({ method, url, headers: lines, body: shown, options: ['-i'] });
}

/** The key is a variable of the shell; a wrong key says what it is. */
function quoteHeader(header: string, secrets: Secrets): string {
  const { apiKey } = secrets;
  const parts = header.split(apiKey).map((part) => hideKeys(part, secrets));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: It is for the shell.
  return quoteForShell(parts.join(apiKey), [[apiKey, '${ANIMAL_STORE_API_KEY}']]);
}
