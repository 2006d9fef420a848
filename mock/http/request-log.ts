import type { Request, Response } from 'express';
import { toHarmless } from '../../common/harmless-text.ts';
import type { LogFormat } from '../../common/value-kinds.ts';

/** Logs a request when its answer has ended. */
export type RequestLog = (request: Request, response: Response) => void;

/** Hands one line for each request to `write`. @param hide hides keys in a text. */
export function createRequestLog(
  format: Exclude<LogFormat, 'silent'>,
  hide: (text: string) => string,
  write: (line: string) => void,
): RequestLog {
  const print = format === 'json' ? JSON.stringify : printPretty;
  return (request, response) => {
    const start = performance.now();
    response.on('close', () => write(`${toHarmless(print(createEntry(request, response, start, hide)))}\n`));
  };
}

/** One request and its answer; the status is undefined when the client went away before it. */
function createEntry(request: Request, response: Response, start: number, hide: (text: string) => string) {
  return {
    time: new Date(performance.timeOrigin + start).toISOString(),
    method: request.method,
    url: hide(request.originalUrl ?? request.url),
    status: response.writableFinished ? response.statusCode : undefined,
    // How a fault broke the connection.
    drop: response.locals.drop as string | undefined,
    // From the arrival of the request's headers to the end of the answer.
    ms: Math.round((performance.now() - start) * 100) / 100,
    // The message of an error may hold what the client sent, and so a key.
    error: response.locals.errorCode as string | undefined,
  };
}

function printPretty({ time, method, url, status, drop, ms, error }: ReturnType<typeof createEntry>): string {
  const line = `${time.slice(11, 19)} ${method} ${url} ${status ?? drop ?? 'aborted by the client'} ${ms} ms`;
  return error === undefined ? line : `${line} ${error}`;
}
