import type { LogFormat } from '../../common/cli/log-format.ts';
import { performance } from '../../common/real-time.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import { hideParameters } from '../../common/text/hide-keys.ts';
import { createPaint, hasColours } from '../../common/text/paint.ts';
import type { Middleware } from './middleware.ts';

/**
 * Creates the middleware that writes a line for each request but pages, health checks and preflights.
 * @param hide redacts keys.
 */
export function createRequestLog(format: LogFormat, hide: (text: string) => string): Middleware | undefined {
  if (format === 'silent') return undefined;
  const paint = createPaint(hasColours(process.stdout));
  return (_request, response, next) => {
    const { context } = response.locals;
    const { method, originalUrl: url } = context;
    const start = performance.now();
    response.on('close', () => {
      const { drop, error } = context;
      const { writableFinished, statusCode } = response;
      if (response.locals.isUnlogged) return;
      const time = new Date(performance.timeOrigin + start).toISOString();
      // The lines of a checked proxy appear between these.
      const from = 'mock';
      const hidden = hide(url);
      const shown = hideParameters(hidden);
      // Undefined if the client left before the end.
      const status = writableFinished ? statusCode : undefined;
      // From the arrival of the request's headers to the end of the response.
      const ms = Math.round((performance.now() - start) * 100) / 100;
      // It may quote a part of a key in the URL.
      const message = hidden === url ? error && hide(error.message) : undefined;
      if (format === 'json') {
        const entry = { time, from, method, url: shown, status, drop, ms, error: error?.code, message };
        process.stdout.write(`${toHarmless(JSON.stringify(entry))}\n`);
        return;
      }
      const outcome = `${status ?? (drop ? 'connection reset' : 'aborted by the client')}`;
      const why = error === undefined ? '' : ` ${error.code}${message === undefined ? '' : `: ${message}`}`;
      // Colours are controls, and so the rest is made harmless without them.
      const line = toHarmless(`${time.slice(11, 19)} ${from} ${method} ${shown}`);
      const painted = paint(chooseColour(status, drop), outcome);
      process.stdout.write(`${line} ${painted} ${ms} ms${toOneLine(why)}\n`);
    });
    next();
  };
}

function chooseColour(status = 400, drop = false) {
  if (status >= 500 || drop) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
