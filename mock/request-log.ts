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
  /** What an error said. */
  readonly error: string | undefined;
}

/** Hands one line for each request to `write`, with every occurrence of an API key taken out. */
export function createRequestLog(
  format: Exclude<LogFormat, 'silent'>,
  apiKeys: readonly string[],
  write: (line: string) => void,
): RequestHandler {
  const print = format === 'json' ? JSON.stringify : printPretty;
  const redact = createRedact(apiKeys);
  return (request, response, next) => {
    const time = new Date().toISOString();
    const start = performance.now();
    response.once('close', () => {
      const entry: LogEntry = {
        time,
        method: request.method,
        url: redact(request.originalUrl),
        status: response.writableFinished ? response.statusCode : undefined,
        ms: Math.round((performance.now() - start) * 100) / 100,
        error: response.locals.error === undefined ? undefined : redact(response.locals.error),
      };
      write(`${print(entry)}\n`);
    });
    next();
  };
}

/** Gathers what is written in one turn of the event loop, since each write to a pipe or a terminal waits for it. */
export function createBatchedWrite(write: (text: string) => void): (line: string) => void {
  let pending = '';
  const flush = () => {
    write(pending);
    pending = '';
  };
  return (line) => {
    if (pending === '') setImmediate(flush);
    pending += line;
  };
}

function printPretty({ time, method, url, status, ms, error }: LogEntry): string {
  const line = `${time.slice(11, 19)} ${method} ${url} ${status ?? 'aborted by the client'} ${ms} ms`;
  return error === undefined ? line : `${line}  ${error}`;
}

/** Keys have no business in a URL or a body, and still get there by mistake. */
function createRedact(apiKeys: readonly string[]): (text: string) => string {
  // The longest first, since a key may be a part of another.
  const spellings = apiKeys
    .flatMap((key) => [key, encodeURIComponent(key)])
    .sort((one, other) => other.length - one.length);
  return (text) => spellings.reduce((left, spelling) => left.replaceAll(spelling, '[key]'), text);
}
