import type { Reply } from '../../common/http/reply.ts';
import { resetConnection } from '../../common/http/reset-connection.ts';
import { writeReply } from '../../common/http/write-reply.ts';
import type { Outcome } from '../pipeline/context.ts';
import { finishRequest } from '../pipeline/finish-request.ts';
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
    else sendOutcome(context, refusal);
  };
}

/** Records the outcome of a request, unless it is for a page or the control API, and writes it as the whole response. */
export function sendOutcome(context: HttpContext, given: Outcome): void {
  const { session, preferenceApplied, response, responseHeaders, isRecorded } = context;
  const outcome = isRecorded ? finishRequest(context, given) : given;
  if (outcome === 'drop') {
    if (context.isAborted) return;
    context.drop = true;
    resetConnection(response);
    return;
  }
  context.error = outcome.error;
  if (isRecorded && session.settings.now !== null) responseHeaders.Date = session.now().toUTCString();
  if (preferenceApplied !== undefined) responseHeaders['Preference-Applied'] = preferenceApplied;
  // Without response.json, since a number of JavaScript cannot hold every int64.
  writeReply(response, outcome, responseHeaders);
}
