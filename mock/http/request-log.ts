import type { Request, Response } from 'express';
import { toHarmless, toOneLine } from '../../common/harmless-text.ts';
import { createHideKeys, findSecrets, hideParameters } from '../../common/hide-keys.ts';
import { isPreflight } from '../../common/is-preflight.ts';
import type { Paint } from '../../common/paint.ts';
import { performance } from '../../common/real-time.ts';
import type { LogFormat } from '../../common/value-kinds.ts';

/** Logs a request when its answer has ended. */
export type RequestLog = (request: Request, response: Response) => void;

/** The longest message that a line for people holds, in characters, and the largest body that is looked through for keys. */
const [LONGEST_MESSAGE, LARGEST_SEARCHED] = [300, 64 * 1024];

/**
 * Hands one line for each request to `write`; a preflight has none, the next line says how many there were before it. Nor
 * has a health check, which some program may make all day.
 * @param hide hides keys in a text.
 */
export function createRequestLog(
  format: Exclude<LogFormat, 'silent'>,
  hide: (text: string) => string,
  write: (line: string) => void,
  paint: Paint,
): RequestLog {
  const print = format === 'json' ? printJson : (entry: Entry) => printPretty(entry, paint);
  let preflights = 0;
  return (request, response) => {
    if (request.url === '/health') return;
    const start = performance.now();
    response.on('close', () => {
      // One that was answered as such.
      if (isPreflight(request) && response.writableFinished && response.statusCode === 204) {
        preflights += 1;
        return;
      }
      write(`${print(createEntry(request, response, start, preflights, hide))}\n`);
      preflights = 0;
    });
  };
}

type Entry = ReturnType<typeof createEntry>;

/** One request and its answer; the status is undefined when the client went away before it. */
function createEntry(
  request: Request,
  response: Response,
  start: number,
  preflights: number,
  hide: (text: string) => string,
) {
  const { drop, errorCode, errorMessage } = response.locals as Readonly<Record<string, string | undefined>>;
  // That of a 401 quotes nothing.
  const isQuiet = response.statusCode !== 401 && errorMessage !== undefined && mayQuoteKey(request, hide);
  return {
    time: new Date(performance.timeOrigin + start).toISOString(),
    // The lines of a checked proxy stand between these.
    from: 'mock',
    method: request.method,
    url: hideParameters(hideRefused(request, response, hide(request.originalUrl ?? request.url))),
    status: response.writableFinished ? response.statusCode : undefined,
    // How a fault broke the connection.
    drop,
    // From the arrival of the request's headers to the end of the answer.
    ms: Math.round((performance.now() - start) * 100) / 100,
    error: errorCode,
    message: isQuiet ? undefined : errorMessage,
    preflights: preflights === 0 ? undefined : preflights,
  };
}

/** Hides a key that was refused, which may be the right one of another deployment, in a URL that may hold one. */
function hideRefused({ headers: { authorization } }: Request, { statusCode }: Response, url: string): string {
  if (statusCode !== 401 || authorization === undefined || !/\?|pets\//.test(url)) return url;
  return createHideKeys([], findSecrets([['authorization', authorization]]))(url);
}

/**
 * Whether the message of an Error may hold a key: it quotes what the client sent, cut to a few characters, and what is left
 * of a key cannot be found. So nothing is quoted of a request that has a key anywhere but where it belongs.
 */
function mayQuoteKey(
  { url, originalUrl = url, headers, body }: Request,
  hide: (text: string) => string,
): boolean {
  if (body?.length > LARGEST_SEARCHED) return true;
  const { host, prefer, 'content-type': type, 'content-encoding': encoding } = headers;
  const quoted = [originalUrl, host, prefer, type, encoding, body].join('\n');
  return hide(quoted) !== quoted;
}

function printJson(entry: Entry): string {
  return toHarmless(JSON.stringify(entry));
}

function printPretty(entry: Entry, paint: Paint): string {
  const { time, from, method, url, status, drop, ms, error, message = '', preflights } = entry;
  const outcome = `${status ?? drop ?? 'aborted by the client'}`;
  const told =
    message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : message;
  const why = error === undefined ? '' : toOneLine(` ${error}${told && `: ${told}`}`);
  const before =
    preflights === undefined ? '' : ` (after ${preflights} preflight${preflights > 1 ? 's' : ''})`;
  // Colours are controls, and so the rest is made harmless without them.
  const request = toHarmless(`${time.slice(11, 19)} ${from} ${method} ${url}`);
  return `${request} ${paint(chooseColour(status, drop), outcome)} ${ms} ms${why}${before}`;
}

function chooseColour(status = 400, drop?: string) {
  if (status >= 500 || drop !== undefined) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
