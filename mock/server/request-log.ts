import type { LogFormat } from '../../common/cli/log-format.ts';
import { isSessionName, SESSION_PATH } from '../../common/http/session-path.ts';
import { readTime } from '../../common/real-time.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import { hideParameters } from '../../common/text/hide-keys.ts';
import { createPaint, hasColours } from '../../common/text/paint.ts';
import { printDuration } from '../../common/text/print-duration.ts';
import type { PreflightedRequest } from '../session/preflights.ts';
import type { Middleware } from './middleware.ts';

/**
 * Creates the middleware that writes a line for each request but pages, calls of the console and health checks.
 * @param hide redacts keys.
 */
export function createRequestLog(format: LogFormat, hide: (text: string) => string): Middleware | undefined {
  if (format === 'silent') return undefined;
  const paint = createPaint(hasColours(process.stdout));
  return (_request, response, next) => {
    const { context } = response.locals;
    const { method, originalUrl: url, sessionName } = context;
    response.on('close', () => {
      if (response.locals.isUnlogged) return;
      const { outcome } = context;
      const { preflight } = response.locals;
      const failure = outcome && 'failure' in outcome ? outcome.failure : undefined;
      const error = outcome && 'reply' in outcome ? outcome.reply.error : undefined;
      const hidden = hide(url);
      const entry = {
        time: new Date(context.time).toISOString(),
        // The lines of a checked proxy appear between these.
        from: 'mock',
        method,
        preflight: preflight && hidePreflight(preflight, hide),
        url: hideParameters(hidden),
        session: isSessionName(sessionName) ? hide(sessionName) : undefined,
        // Undefined if the client left before the end.
        status: response.writableFinished ? response.statusCode : undefined,
        failure,
        ms: context.measureDuration(),
        error: error?.code,
        // It may quote a part of a key in the URL.
        message: hidden === url ? error && hide(error.message) : undefined,
        hint: error?.hint,
      };
      write(format, entry, () => printEntry(entry, paint));
    });
    next();
  };
}

/**
 * Creates the function that writes a line when no request has followed a preflight.
 * @param hide redacts keys.
 */
export function createPreflightLog(format: LogFormat, hide: (text: string) => string) {
  const paint = createPaint(hasColours(process.stdout));
  return ({ target, ...asked }: PreflightedRequest, hint: string): void => {
    if (format === 'silent') return;
    const preflight = hidePreflight(asked, hide);
    const time = new Date(readTime()).toISOString();
    const url = hideParameters(hide(target));
    const entry = { time, from: 'mock', method: 'OPTIONS', preflight, url, hint: hide(hint) };
    write(
      format,
      entry,
      () => `${printStart(entry)} ${printAsked(entry)}  ${paint('yellow', toOneLine(entry.hint))}`,
    );
  };
}

function write(format: LogFormat, entry: object, print: () => string): void {
  const line = format === 'json' ? toHarmless(JSON.stringify(entry)) : print();
  process.stdout.write(`${line}\n`);
}

interface AskedRequest {
  readonly origin: string;
  readonly method: string;
}

function hidePreflight({ origin, method }: AskedRequest, hide: (text: string) => string): AskedRequest {
  return { origin: hide(origin), method: hide(method) };
}

interface LogEntry {
  readonly time: string;
  readonly from: string;
  readonly method: string;
  /** What a browser asks for, if this is a preflight. */
  readonly preflight: AskedRequest | undefined;
  readonly url: string;
  /** Name of the session, as its path or a header has it. */
  readonly session: string | undefined;
  readonly status: number | undefined;
  /** What a fault did to the response. */
  readonly failure: string | undefined;
  readonly ms: number;
  readonly error: string | undefined;
  readonly message: string | undefined;
  /** Advice about the error. */
  readonly hint: string | undefined;
}

/** Width of `proxy`, whose lines may appear between these. */
const FROM_WIDTH = 5;

/** Width of the status. */
const STATUS_WIDTH = 3;

/** Width of a duration below ten seconds, such as `9999 ms`. */
const DURATION_WIDTH = 7;

/** Width of the methods that the service has. */
const METHOD_WIDTH = 4;

/** Returns `09:30:00` of `2026-11-21T09:30:00.000Z`. */
const toTimeOfDay = (time: string) => time.slice(11, 19);

/** Prints what has a fixed width first, so that the lines align whatever the URL is. */
function printEntry(entry: LogEntry, paint: ReturnType<typeof createPaint>): string {
  const { status, failure, ms, error, message, hint, url, session } = entry;
  const code = String(status ?? '-').padEnd(STATUS_WIDTH);
  const left = status === undefined && failure === undefined ? 'aborted by the client' : undefined;
  const why = [error, message].filter(Boolean).join(': ');
  const named = session !== undefined && !SESSION_PATH.test(url) && `(session ${session})`;
  const notes = [named, left, failure?.replaceAll('_', ' '), why, hint && `(${hint})`]
    .filter(Boolean)
    .join(' ');
  const duration = printDuration(ms).padStart(DURATION_WIDTH);
  // Colours are controls, and so the rest is made harmless without them.
  const outcome = `${paint(chooseColour(entry), code)} ${duration}`;
  return `${printStart(entry)} ${outcome}  ${printAsked(entry)}${notes && `  ${toOneLine(notes)}`}`;
}

function printStart({ time, from }: Pick<LogEntry, 'time' | 'from'>): string {
  return `${toTimeOfDay(time)} ${from.padEnd(FROM_WIDTH)}`;
}

/** Prints what was asked for. */
function printAsked({ method, preflight, url }: Pick<LogEntry, 'method' | 'preflight' | 'url'>): string {
  const asked =
    preflight === undefined
      ? `${method.padEnd(METHOD_WIDTH)} ${url}`
      : `preflight of ${preflight.method} ${url} from ${preflight.origin}`;
  return toHarmless(asked);
}

/** A request without a response is printed like a client error, unless a fault broke the response. */
function chooseColour({ status = 400, failure }: LogEntry) {
  if (status >= 500 || failure !== undefined) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
