import type { LogFormat } from '../../common/cli/log-format.ts';
import { findSecrets, redactParameters } from '../../common/text/find-keys.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import { createPaint, hasColours } from '../../common/text/paint.ts';
import { printDuration } from '../../common/text/print-duration.ts';
import { type Keys, redact } from '../../common/text/redact.ts';
import { isSessionName, SESSION_PATH } from '../session/session-name.ts';
import type { Middleware } from './middleware.ts';

/** Minimum length of a key that the mock does not know, in characters. A shorter one is mostly a word, which other texts have too. */
const SHORTEST_UNKNOWN = 16;

/** Creates the middleware that writes a line, without keys, for each request but pages, calls of the console and health checks. */
export function createRequestLog(format: LogFormat, keys: Keys): Middleware | undefined {
  if (format === 'silent') return undefined;
  const paint = createPaint(hasColours(process.stdout));
  return (request, response, next) => {
    const { call } = response.locals;
    const { method, originalUrl: url, sessionName } = call;
    response.on('close', () => {
      if (response.locals.isUnlogged) return;
      const { outcome } = call;
      const failure = outcome && 'failure' in outcome ? outcome.failure : undefined;
      const error = outcome && 'reply' in outcome ? outcome.reply.error : undefined;
      const session = isSessionName(sessionName) ? sessionName : undefined;
      const hint = call.hint ?? error?.hint;
      // A wrong key may be the right one of another deployment.
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
      const known = keys.with(findSecrets(headers, url).filter(({ length }) => length >= SHORTEST_UNKNOWN));
      const redacted = redact({ url, session, message: error?.message, hint }, known);
      const entry = {
        time: new Date(call.time).toISOString(),
        // The lines of a checked proxy appear between these.
        from: 'mock',
        method,
        url: redactParameters(redacted.url),
        session: redacted.session,
        // Undefined if the client left before the end.
        status: response.writableFinished ? response.statusCode : undefined,
        failure,
        ms: call.measureDuration(),
        error: error?.code,
        // It may quote a part of a key in the URL.
        message: redacted.url === url ? redacted.message : undefined,
        hint: redacted.hint,
      };
      write(format, entry, () => printEntry(entry, paint));
    });
    next();
  };
}

function write(format: LogFormat, entry: object, print: () => string): void {
  const line = format === 'json' ? toHarmless(JSON.stringify(entry)) : print();
  process.stdout.write(`${line}\n`);
}

interface LogEntry {
  readonly time: string;
  readonly from: string;
  readonly method: string;
  readonly url: string;
  /** Name of the session, as its path or a header has it. */
  readonly session: string | undefined;
  readonly status: number | undefined;
  /** What a fault did to the response. */
  readonly failure: string | undefined;
  readonly ms: number;
  readonly error: string | undefined;
  readonly message: string | undefined;
  /** Advice about the error, or about the cookies of a page. */
  readonly hint: string | undefined;
}

/** Width of `proxy`, whose lines may appear between these. */
const FROM_WIDTH = 5;

const STATUS_WIDTH = 3;

/** Width of a duration below ten seconds, such as `9999 ms`. */
const DURATION_WIDTH = 7;

const METHOD_WIDTH = 4;

/** Returns `09:30:00` of `2026-11-21T09:30:00.000Z`. */
const toTimeOfDay = (time: string) => time.slice(11, 19);

/** Prints what has a fixed width first, so that the lines align whatever the URL is. */
function printEntry(entry: LogEntry, paint: ReturnType<typeof createPaint>): string {
  const { time, from, method, status, failure, ms, error, message, hint, url, session } = entry;
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
  const start = `${toTimeOfDay(time)} ${from.padEnd(FROM_WIDTH)}`;
  const asked = toHarmless(`${method.padEnd(METHOD_WIDTH)} ${url}`);
  return `${start} ${outcome}  ${asked}${notes && `  ${toOneLine(notes)}`}`;
}

/** A request without a response is printed like a client error, unless a fault broke the response. */
function chooseColour({ status = 400, failure }: LogEntry) {
  if (status >= 500 || failure !== undefined) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
