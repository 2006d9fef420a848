import { resetConnection } from '../../common/http/reset-connection.ts';
import { writeReply } from '../../common/http/write-reply.ts';
import type { Outcome, Step } from '../pipeline/context.ts';
import { finishRequest } from '../pipeline/finish-request.ts';
import type { HttpContext, Middleware } from './http-context.ts';

/** Creates the middleware of a step: the outcome of the step is the response. Without one, the next middleware follows. */
export function toMiddleware(step: Step): Middleware {
  return async (_request, { locals: { context } }, next) => {
    const outcome = await step(context);
    if (outcome === undefined) next();
    else sendOutcome(context, outcome);
  };
}

/** Records the outcome of a request, unless it is for a page or the control API, and writes it as the whole response. */
export function sendOutcome(context: HttpContext, given: Outcome): void {
  const { session, preferenceApplied, response, isRecorded } = context;
  const outcome = isRecorded ? finishRequest(context, given) : given;
  if (outcome === 'drop') {
    if (context.isAborted) return;
    context.drop = true;
    resetConnection(response);
    return;
  }
  context.error = outcome.error;
  const headers: Record<string, string | number> = {};
  if (isRecorded && session.settings.now !== null) headers.Date = session.now().toUTCString();
  if (preferenceApplied !== undefined) headers['Preference-Applied'] = preferenceApplied;
  writeReply(response, outcome, headers);
}
