import type { RequestHandler } from 'express';
import { hideKeys } from '../../common/hide-keys.ts';
import type { LogFormat } from '../../common/value-kinds.ts';

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
