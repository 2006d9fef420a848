import type { Reply } from '../../common/http/reply.ts';
import { resetConnection } from '../../common/http/reset-connection.ts';
import { endEarly, writeReply } from '../../common/http/write-reply.ts';
import type { Outcome } from '../session/outcome.ts';
import type { HttpCall } from './http-call.ts';
import type { Middleware } from './middleware.ts';

/** Creates the handler of a route, whose outcome is the response. */
export function toHandler(run: (call: HttpCall) => Promise<Outcome>): Middleware {
  return async (_request, { locals: { call } }) => {
    sendOutcome(call, await run(call));
  };
}

/** Creates the middleware of a check, which returns the reply to a request that it refuses. */
export function toCheck(check: (call: HttpCall) => Reply | undefined): Middleware {
  return (_request, { locals: { call } }, next) => {
    const refusal = check(call);
    if (refusal === undefined) next();
    else sendReply(call, refusal);
  };
}

export function sendReply(call: HttpCall, reply: Reply): void {
  sendOutcome(call, { wire: 'whole', reply });
}

/** Writes the outcome of a request to the connection, after the plugins of its session have seen it. */
export function sendOutcome(call: HttpCall, given: Outcome): void {
  const { session, response, responseHeaders, isRecorded } = call;
  const outcome = isRecorded ? session.leave(call, given) : given;
  if (call.isAborted) return;
  call.outcome = outcome;
  if (isRecorded && session.settings.now !== null) responseHeaders.Date = session.now().toUTCString();
  switch (outcome.wire) {
    case 'whole':
      // Without response.json, since a number of JavaScript cannot hold every int64.
      writeReply(response, outcome.reply, responseHeaders);
      break;
    case 'half':
      response.writeHead(outcome.reply.status, { ...responseHeaders, ...outcome.reply.headers });
      endEarly(response, outcome.reply.body);
      break;
    case 'reset':
      resetConnection(response);
      break;
    default:
      outcome satisfies never;
  }
}
