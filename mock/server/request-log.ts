import { createBatchedWrite } from '../../common/cli/create-batched-write.ts';
import type { LogFormat } from '../../common/cli/log-format.ts';
import { isPreflight } from '../../common/http/request-headers.ts';
import { performance } from '../../common/real-time.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import { hideParameters } from '../../common/text/hide-keys.ts';
import { createPaint, hasColours } from '../../common/text/paint.ts';
import type { HttpContext } from './http-context.ts';

export type RequestLog = ReturnType<typeof createRequestLog>;

/**
 * Creates the log: a line for each request but health checks and preflights.
 * @param hide redacts keys.
 */
export function createRequestLog(format: LogFormat, hide: (text: string) => string) {
  if (format === 'silent') return undefined;
  const write = createBatchedWrite(process.stdout);
  const paint = createPaint(hasColours(process.stdout));
  return (context: HttpContext): void => {
    const { method, originalUrl: url, request, response } = context;
    if (url === '/health') return;
    const start = performance.now();
    response.on('close', () => {
      const { drop, error } = context;
      const { writableFinished, statusCode } = response;
      if (isPreflight(request) && statusCode === 204) return;
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
        write(`${toHarmless(JSON.stringify(entry))}\n`);
        return;
      }
      const outcome = `${status ?? (drop ? 'connection reset' : 'aborted by the client')}`;
      const why = error === undefined ? '' : ` ${error.code}${message === undefined ? '' : `: ${message}`}`;
      // Colours are controls, and so the rest is made harmless without them.
      const line = toHarmless(`${time.slice(11, 19)} ${from} ${method} ${shown}`);
      write(`${line} ${paint(chooseColour(status, drop), outcome)} ${ms} ms${toOneLine(why)}\n`);
    });
  };
}

function chooseColour(status = 400, drop = false) {
  if (status >= 500 || drop) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
