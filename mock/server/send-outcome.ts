import type { Reply } from '../../common/http/reply.ts';
import { resetConnection } from '../../common/http/reset-connection.ts';
import { breakOff, writeReply } from '../../common/http/write-reply.ts';
import { finishRequest } from '../pipeline/record-request.ts';
import type { Outcome } from '../session/fault-effects.ts';
import type { HttpContext } from './http-context.ts';
import type { Middleware } from './middleware.ts';

/** Creates the handler of a route, whose outcome is the response. */
export function toHandler(run: (context: HttpContext) => Promise<Outcome>): Middleware {
  return async (_request, { locals: { context } }) => {
    sendOutcome(context, await run(context));
  };
}

/** Creates the middleware of a check, which returns the reply to a request that it refuses. */
export function toCheck(check: (context: HttpContext) => Reply | undefined): Middleware {
  return (_request, { locals: { context } }, next) => {
    const refusal = check(context);
    if (refusal === undefined) next();
    else sendReply(context, refusal);
  };
}

/** Sends a reply as the outcome of a request. */
export function sendReply(context: HttpContext, reply: Reply): void {
  sendOutcome(context, { wire: 'whole', reply });
}

/** Records the outcome of a request, unless it is for a page or the control API, and writes it to the connection. */
export function sendOutcome(context: HttpContext, given: Outcome): void {
  const { session, response, responseHeaders, isRecorded } = context;
  const outcome = isRecorded ? finishRequest(context, given) : given;
  if (context.isAborted) return;
  context.outcome = outcome;
  if (isRecorded && session.settings.now !== null) responseHeaders.Date = session.now().toUTCString();
  switch (outcome.wire) {
    case 'whole':
      // Without response.json, since a number of JavaScript cannot hold every int64.
      writeReply(response, outcome.reply, responseHeaders);
      break;
    case 'half':
      breakOff(response, outcome.reply, responseHeaders);
      break;
    case 'reset':
      resetConnection(response);
      break;
    default:
      outcome satisfies never;
  }
}
