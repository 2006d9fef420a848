import type { IncomingMessage } from 'node:http';
import type { LogFormat } from '../../common/cli/log-format.ts';
import { isPreflight } from '../../common/http/request-headers.ts';
import { performance } from '../../common/real-time.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import { hideParameters } from '../../common/text/hide-keys.ts';
import type { Paint } from '../../common/text/paint.ts';
import type { MockResponse } from './http-server.ts';

export type RequestLog = ReturnType<typeof createRequestLog>;

type Entry = ReturnType<typeof createEntry>;

/**
 * Creates the log: a line for each request but health checks and preflights.
 * @param hide redacts keys.
 */
export function createRequestLog(
  format: Exclude<LogFormat, 'silent'>,
  hide: (text: string) => string,
  write: (line: string) => void,
  paint: Paint,
) {
  /** Logs a request when its response has ended. */
  return (request: IncomingMessage, response: MockResponse): void => {
    const { url = '' } = request;
    if (url === '/health') return;
    const start = performance.now();
    response.on('close', () => {
      if (isPreflight(request) && response.statusCode === 204) return;
      const entry = createEntry(request, response, url, start, hide);
      write(`${format === 'json' ? toHarmless(JSON.stringify(entry)) : printPretty(entry, paint)}\n`);
    });
  };
}

function createEntry(
  { method }: IncomingMessage,
  { drop, error, writableFinished, statusCode }: MockResponse,
  url: string,
  start: number,
  hide: (text: string) => string,
) {
  const shown = hide(url);
  return {
    time: new Date(performance.timeOrigin + start).toISOString(),
    // The lines of a checked proxy appear between these.
    from: 'mock',
    method,
    url: hideParameters(shown),
    /** Undefined if the client left before the end. */
    status: writableFinished ? statusCode : undefined,
    drop,
    // From the arrival of the request's headers to the end of the response.
    ms: Math.round((performance.now() - start) * 100) / 100,
    error: error?.code,
    // It may quote a part of a key in the URL.
    message: shown === url ? error && hide(error.message) : undefined,
  };
}

function printPretty(entry: Entry, paint: Paint): string {
  const { time, from, method, url, status, drop, ms, error, message = '' } = entry;
  const outcome = `${status ?? (drop ? 'connection reset' : 'aborted by the client')}`;
  const why = error === undefined ? '' : toOneLine(` ${error}${message && `: ${message}`}`);
  // Colours are controls, and so the rest is made harmless without them.
  const request = toHarmless(`${time.slice(11, 19)} ${from} ${method} ${url}`);
  return `${request} ${paint(chooseColour(status, drop), outcome)} ${ms} ms${why}`;
}

function chooseColour(status = 400, drop = false) {
  if (status >= 500 || drop) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
