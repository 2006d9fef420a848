import type { RequestHandler } from 'express';
import type { LogFormat } from './log-format.ts';

/** One request and its answer; the status is undefined when the client went away before it. */
interface LogEntry {
  readonly time: string;
  readonly method: string;
  readonly url: string;
  readonly status: number | undefined;
  /** From the arrival of the request's headers to the end of the answer, in milliseconds. */
  readonly ms: number;
  /** The code of an error; its message may hold what the client sent, and so a key. */
  readonly error: string | undefined;
}

/** Hands one line for each request to `write`; no line holds an API key. */
export function createRequestLog(
  format: Exclude<LogFormat, 'silent'>,
  apiKeys: readonly string[],
  write: (line: string) => void,
): RequestHandler {
  const print = format === 'json' ? JSON.stringify : printPretty;
  return (request, response, next) => {
    const start = performance.now();
    response.on('close', () => {
      const entry: LogEntry = {
        time: new Date(performance.timeOrigin + start).toISOString(),
        method: request.method,
        url: hideKeys(request.originalUrl, apiKeys),
        status: response.writableFinished ? response.statusCode : undefined,
        ms: Math.round((performance.now() - start) * 100) / 100,
        error: response.locals.errorCode,
      };
      write(`${print(entry)}\n`);
    });
    next();
  };
}

function printPretty({ time, method, url, status, ms, error }: LogEntry): string {
  const line = `${time.slice(11, 19)} ${method} ${url} ${status ?? 'aborted by the client'} ${ms} ms`;
  return error === undefined ? line : `${line} ${error}`;
}

/**
 * Keys have no business in a URL and get there by mistake, in any spelling that percent-encoding allows: so the part of
 * the URL that holds one is left out whole. What is not printable ASCII is percent-encoded, for the terminal's sake.
 */
function hideKeys(url: string, apiKeys: readonly string[]): string {
  const printable = /[^\x21-\x7e]/.test(url) ? url.replaceAll(/[^\x21-\x7e]/g, encodeURIComponent) : url;
  if (!holdsKey(printable, apiKeys)) return printable;
  const [path = '', ...query] = printable.split('?');
  const isInQueryAlone = !holdsKey(path, apiKeys) && holdsKey(query.join('?'), apiKeys);
  return isInQueryAlone ? `${path}?${HIDDEN}` : HIDDEN;
}

const HIDDEN = '[hidden: it holds an API key]';

/** Looks at the text as it is, decoded, and decoded once more: clients have been known to encode twice. */
function holdsKey(text: string, apiKeys: readonly string[]): boolean {
  const includesKey = (spelling: string) => apiKeys.some((key) => spelling.includes(key));
  if (includesKey(text) || !text.includes('%')) return includesKey(text);
  const decoded = decode(text);
  return includesKey(decoded) || includesKey(decode(decoded));
}

/** Decodes what can be decoded, byte by byte: keys are ASCII. */
function decode(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
