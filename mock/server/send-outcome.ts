import type { Reply } from '../../common/http/reply.ts';
import { resetConnection } from '../../common/http/reset-connection.ts';
import { breakOff, writeReply } from '../../common/http/write-reply.ts';
import { finishRequest } from '../pipeline/finish-request.ts';
import type { Outcome } from '../session/fault-effects.ts';
import { compressReply } from './compress-reply.ts';
import { explainCors } from './cors.ts';
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
  const { session, preferenceApplied, response, responseHeaders, isRecorded } = context;
  const outcome = isRecorded ? finishRequest(context, explainRefusal(context, given)) : given;
  if (outcome.wire !== 'reset') noteCors(context);
  if (context.isAborted) return;
  context.outcome = outcome;
  if (isRecorded && session.settings.now !== null) responseHeaders.Date = session.now().toUTCString();
  if (preferenceApplied !== undefined) responseHeaders['Preference-Applied'] = preferenceApplied;
  switch (outcome.wire) {
    case 'whole':
      // Without response.json, since a number of JavaScript cannot hold every int64.
      writeReply(
        response,
        isRecorded ? compressReply(context, outcome.reply) : outcome.reply,
        responseHeaders,
      );
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

/** Adds to the error of a refused preflight why a browser sends no request after it. */
function explainRefusal({ refusedByCors }: HttpContext, outcome: Outcome): Outcome {
  if (refusedByCors !== 'preflight' || outcome.wire !== 'whole' || outcome.reply.error === undefined)
    return outcome;
  const error = { ...outcome.reply.error, hint: explainCors('none') };
  return { ...outcome, reply: { ...outcome.reply, error } };
}

/** Records that a response to a page lacks the headers that allow the page to read it. */
function noteCors({ refusedByCors, session, sessionName }: HttpContext): void {
  // A session that the request was not allowed to start keeps no record.
  if (refusedByCors !== undefined && sessionName === session.name) session.noteActed('cors');
}
