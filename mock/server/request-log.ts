import type { LogFormat } from '../../common/cli/log-format.ts';
import { isPreflight } from '../../common/http/request-headers.ts';
import { performance } from '../../common/real-time.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import { createHideKeys, findSecrets, hideParameters } from '../../common/text/hide-keys.ts';
import type { Paint } from '../../common/text/paint.ts';
import type { MockResponse } from './http-server.ts';
import type { BodyRequest } from './read-body.ts';

export type RequestLog = ReturnType<typeof createRequestLog>;

/** The longest message of a line for people, in characters, and the largest body that is searched for keys, in bytes. */
const [LONGEST_MESSAGE, LARGEST_SEARCHED] = [300, 64 * 1024];

type Entry = ReturnType<typeof createEntry>;

/**
 * Creates the log: a line for each request but health checks and preflights; the next line counts the preflights before it.
 * @param hide redacts keys.
 */
export function createRequestLog(
  format: Exclude<LogFormat, 'silent'>,
  hide: (text: string) => string,
  write: (line: string) => void,
  paint: Paint,
) {
  let preflights = 0;
  /** Logs a request when its response has ended. */
  return (request: BodyRequest, response: MockResponse): void => {
    const { url = '' } = request;
    if (url === '/health') return;
    const start = performance.now();
    response.on('close', () => {
      if (isPreflight(request) && response.writableFinished && response.statusCode === 204) {
        preflights += 1;
        return;
      }
      const entry = {
        ...createEntry(request, response, url, start, hide),
        preflights: preflights || undefined,
      };
      write(`${format === 'json' ? toHarmless(JSON.stringify(entry)) : printPretty(entry, paint)}\n`);
      preflights = 0;
    });
  };
}

function createEntry(
  request: BodyRequest,
  response: MockResponse,
  url: string,
  start: number,
  hide: (text: string) => string,
) {
  const { drop, error } = response;
  // The message of a 401 quotes nothing.
  const isQuiet =
    response.statusCode !== 401 &&
    error !== undefined &&
    mayQuoteKey(request, `${url}\n${error.message}`, hide);
  return {
    time: new Date(performance.timeOrigin + start).toISOString(),
    // The lines of a checked proxy appear between these.
    from: 'mock',
    method: request.method,
    url: hideParameters(hideRefused(request, response, hide(url))),
    /** Undefined if the client left before the end. */
    status: response.writableFinished ? response.statusCode : undefined,
    drop,
    // From the arrival of the request's headers to the end of the response.
    ms: Math.round((performance.now() - start) * 100) / 100,
    error: error?.code,
    message: isQuiet ? undefined : error?.message,
  };
}

/** Redacts a refused key in a URL that may contain it. The key may be valid for another deployment. */
function hideRefused({ headers }: BodyRequest, { statusCode }: MockResponse, url: string): string {
  const { authorization } = headers;
  if (statusCode !== 401 || authorization === undefined || !/\?|pets\//.test(url)) return url;
  return createHideKeys(findSecrets([['authorization', authorization]]))(url);
}

/** Returns true for a key in an unusual place. The Error quotes only a part of it, which could not be redacted. */
function mayQuoteKey({ headers, body }: BodyRequest, said: string, hide: (text: string) => string): boolean {
  const bytes = body instanceof Uint8Array ? body : [];
  if (bytes.length > LARGEST_SEARCHED) return true;
  const { host, prefer, 'content-type': type, 'content-encoding': encoding } = headers;
  const quoted = [said, host, prefer, type, encoding, bytes].join('\n');
  return hide(quoted) !== quoted;
}

function printPretty(entry: Entry & { preflights: number | undefined }, paint: Paint): string {
  const { time, from, method, url, status, drop, ms, error, message = '', preflights = 0 } = entry;
  const outcome = `${status ?? (drop ? 'connection reset' : 'aborted by the client')}`;
  const isLong = message.length > LONGEST_MESSAGE;
  const sentence = isLong ? `${message.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : message;
  const why = error === undefined ? '' : toOneLine(` ${error}${sentence && `: ${sentence}`}`);
  const before = preflights === 0 ? '' : ` (after ${preflights} preflight${preflights > 1 ? 's' : ''})`;
  // Colours are controls, and so the rest is made harmless without them.
  const request = toHarmless(`${time.slice(11, 19)} ${from} ${method} ${url}`);
  return `${request} ${paint(chooseColour(status, drop), outcome)} ${ms} ms${why}${before}`;
}

function chooseColour(status = 400, drop = false) {
  if (status >= 500 || drop) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
