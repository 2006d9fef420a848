import type { Headers } from '../../common/http/headers.ts';
import { printExactJson } from '../../common/json/exact-json.ts';
import { showControls } from '../../common/text/harmless-text.ts';
import type { CurlRequest, ShellExpression } from '../../common/text/print-curl.ts';
import { printCurl, quoteForShell } from '../../common/text/print-curl.ts';
import { type Keys, redact } from '../../common/text/redact.ts';
import type { Exchange, SuiteRequest, SuiteResponse } from '../client/exchange.ts';
import { keysOf, type Secrets } from '../client/secrets.ts';
import type { Target } from '../client/target.ts';

type Sender = Secrets & Partial<Pick<Target, 'curlOptions'>>;

/** The exchange that shows a failure, as text without the key. */
export interface PrintedExchange {
  /** The request in one line: its method, its path below the base URL, and the beginning of its body. */
  readonly line: string;
  readonly request: string;
  readonly response: string;
  /** The status of the response. Missing without one. */
  readonly status?: number;
  /** The number of animals, if the response is a list. */
  readonly listed?: number;
  /** What the response shows, in one line: of a list the animals that the failure is about, otherwise the beginning of its body. */
  readonly shows: string;
  /** Reproduces the request; the key is `$ANIMAL_STORE_API_KEY`, and headers of the user are variables too. */
  readonly curl: string;
  /** Trace id of the request, to find it in the traces of the deployment. */
  readonly traceId?: string;
  /** Value of the response's X-Request-Id, or of a similar header. */
  readonly requestId?: string;
  readonly at: number;
  readonly ms: number;
}

const LONGEST_BODY = 2_000;

/** How much of a path, of a body and of an animal is in one line, in characters. */
const LONGEST_IN_LINE = 120;

/** How many of the animals that a failure is about are shown of a list. */
const MOST_SHOWN = 2;

const requestIds = /^(?:x-)?(?:amzn-|amz-|goog-)?(?:request|correlation)-?id$/;

/** @param about ids of the animals that the failure is about */
export function printExchange(
  exchange: Exchange,
  secrets: Sender,
  about: readonly bigint[] = [],
): PrintedExchange {
  const { at, ms, traceId, isList, animals } = exchange;
  const keys = keysOf(secrets);
  const { request, response, failure } = redact(toText(exchange, keys), keys);
  const { method, base, path, body, isInTwoParts } = request;
  const [, requestId] = response?.headers.find(([name]) => requestIds.test(name)) ?? [];
  // No curl command sends a body in this way.
  const inParts = isInTwoParts === true ? ' (sent in two parts)' : '';
  const content = body === undefined ? '' : ` ${shorten(body)}`;
  const shown = animals.filter(({ id }) => typeof id === 'bigint' && about.includes(id)).slice(0, MOST_SHOWN);
  const shows = isList
    ? redact(
        shown.map((animal) => printExactJson(animal)),
        keys,
      )
    : [response?.body ?? ''];
  return {
    line: toLine(`${method} ${shorten(path)}${content}${inParts}`),
    request: printMessage(`${method} ${base}${path}`, request),
    response: printResponse(response, failure),
    ...(response !== undefined && { status: statusOf(response) }),
    ...(isList && { listed: (exchange.json as readonly unknown[]).length }),
    shows: toLine(shows.map(shorten).join(', ')),
    curl: toCurl(exchange, secrets),
    ...(traceId !== undefined && { traceId }),
    ...(requestId !== undefined && { requestId }),
    at,
    ms,
  };
}

/** Returns the status that was received, also where a cache has the rest. */
function statusOf({ status, isConfirmed }: Pick<SuiteResponse, 'status' | 'isConfirmed'>): number {
  return isConfirmed === true ? 304 : status;
}

/** Returns an exchange as text. A name of a header may be a key too. */
function toText({ request, response, failure }: Exchange, keys: Keys) {
  const toLines = (headers: Headers) =>
    Object.entries(headers).map(([name, value]) => [keys.redactName(name), value] as const);
  const answered = response && {
    ...response,
    headers: toLines(response.headers),
    body: response.body.toString('utf8'),
    lacking: Math.max(0, (response.length ?? 0) - response.body.length),
  };
  return { request: { ...request, headers: toLines(request.headers) }, response: answered, failure };
}

/** Writes what would end a line, or could not be seen, as `\n`; every space stays. */
function toLine(text: string): string {
  return showControls(text).replaceAll('\n', String.raw`\n`);
}

/** Cuts a text without keys for one line. */
function shorten(text: string): string {
  return text.length > LONGEST_IN_LINE ? `${text.slice(0, LONGEST_IN_LINE)}…` : text;
}

/** Prints a bash script that sends exchanges again. It uses the ids that its own animals are assigned. */
export function printScript(exchanges: readonly Exchange[], secrets: Sender): string {
  const added = exchanges.filter(({ isAddition, id }) => isAddition && id !== undefined);
  const ids = added.map((exchange) => [exchange, `${exchange.id}`] as const);
  const expressions = ids.map(([, id], index) => [`/pets/${id}`, `/pets/$id${index + 1}`] as const);
  const lines = exchanges.map((exchange) => {
    const index = ids.findIndex(([one]) => one === exchange);
    const isUsed = exchanges.some(({ request }) => request.path.endsWith(`/pets/${ids[index]?.[1]}`));
    if (!isUsed) return toCurl(exchange, secrets, expressions);
    const curl = toCurl(exchange, secrets, [], '-s');
    return `id${index + 1}=$(${curl} | tee /dev/stderr | sed -E 's/.*"id" *: *(-?[0-9]+).*/\\1/')`;
  });
  const isOfReads = exchanges.every(({ request }) => request.method === 'GET');
  return (isOfReads ? omitRepeated(lines) : lines).join('\n');
}

/** Leaves out what is sent again later. One request alone is kept as often as it was sent, because its responses differ. */
function omitRepeated(lines: readonly string[]): readonly string[] {
  if (new Set(lines).size === 1) return lines;
  return lines.filter((line, index) => lines.lastIndexOf(line) === index);
}

function toCurl({ request }: Exchange, secrets: Sender, expressions: ShellExpression[] = [], flag = '-i') {
  const { method, base, path, headers, encoding } = request;
  const { curlOptions = [] } = secrets;
  const { url, body, options } = redact(
    { url: `${base}${path}`, body: request.body, options: [flag, ...curlOptions] },
    keysOf(secrets),
  );
  const toBody = encoding === undefined ? toCurlBody : toCurlBytes;
  return printCurl({
    method,
    url,
    expressions,
    headers: Object.entries(headers).map(([name, value]) => quoteHeader(name, value, secrets)),
    body: body === undefined ? undefined : toBody(body),
    options,
  });
}

/** Long rows of one character, which no argument of a command may hold and no reader needs. */
const rows = /([^\n\0'\\%])\1{199,}/g;

function toCurlBody(body: string): CurlRequest['body'] {
  const found = [...body.matchAll(rows)];
  if (found.length === 0 || body.includes('\0')) return body;
  const parts = body.split(rows).filter((_, index) => index % 2 === 0);
  const commands = parts.flatMap((part, index) => {
    const [row, character] = found[index] ?? [];
    const made = row === undefined ? [] : [`printf -- '${character}%.0s' {1..${row.length}}`];
    return [...(part === '' ? [] : [`printf %s ${quoteForShell(part)}`]), ...made];
  });
  return { file: `<(${commands.join('; ')})` };
}

/** Prints the bytes of a body in Latin-1, which an argument of a command would hold in UTF-8. */
function toCurlBytes(body: string): CurlRequest['body'] {
  const toEscape = (char: string) => `\\0${char.charCodeAt(0).toString(8)}`;
  const text = body.replaceAll('\\', '\\\\').replaceAll(/[\x80-\xff]/g, toEscape);
  return { file: `<(printf %b ${quoteForShell(text)})` };
}

type Texts = ReturnType<typeof toText>;

function printResponse(response: Texts['response'], failure: Texts['failure']): string {
  if (response === undefined) return `No answer: ${failure?.reason}`;
  const text = printMessage(`HTTP ${statusOf(response)}`, response);
  return failure === undefined ? text : `${text}\n(${failure.reason})`;
}

interface Message extends Pick<SuiteRequest, 'body'> {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Number of bytes of the body that were not kept. */
  readonly lacking?: number;
}

/** @param message without keys, because its body is cut, which could leave half a key. */
function printMessage(start: string, { headers, body = '', lacking = 0 }: Message): string {
  const head = [start, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
  const rest = Math.max(0, body.length - LONGEST_BODY) + lacking;
  const shown = rest > 0 ? `${body.slice(0, LONGEST_BODY)}… (${rest} more characters)` : body;
  return [head, '', shown].join('\n').trimEnd();
}

/** The key is a variable of the shell, and so is the value of a --header; a wrong key says what it is. */
function quoteHeader(name: string, value: string, secrets: Secrets): string {
  const { headers, apiKey } = secrets;
  if (headers[name] === value) return quoteForShell(`${name}: \0`, [['\0', `\${${toVariable(name)}}`]]);
  const parts = redact(`${name}: ${value}`.split(apiKey), keysOf(secrets));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: It is for the shell.
  return quoteForShell(parts.join(apiKey), [[apiKey, '${ANIMAL_STORE_API_KEY}']]);
}

/** Names a variable after a header. One without an underscore could be a variable of the shell, such as PATH. */
function toVariable(header: string): string {
  const name = header.toUpperCase().replaceAll(/\W/g, '_');
  return /^[A-Z]\w*_/.test(name) ? name : `HEADER_${name}`;
}
