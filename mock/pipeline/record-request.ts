import { nameKey } from '../../common/http/refuse-key.ts';
import type { Reply } from '../../common/http/reply.ts';
import { keepBody, LONGEST_SHOWN, type RecordedAnswer } from '../../common/journal/journal-entry.ts';
import type { Outcome } from '../session/fault-effects.ts';
import type { Context } from './context.ts';

/** Records a request in the journal of its session, unless that was done before or the session does not exist. */
export function recordArrival(context: Context): void {
  const { session, sessionName, operation, method, headers, sentAs, isChecked, time } = context;
  if (context.recorded !== undefined || sessionName !== session.name) return;
  context.recorded = {
    id: 0,
    time: new Date(time),
    ms: undefined,
    operation,
    method,
    headers,
    key: nameKey(headers.authorization, session.settings.apiKeys),
    sentAs,
    isChecked,
    url: session.name === undefined ? context.originalUrl : context.url,
    body: undefined,
    bodyState: undefined,
    isReceived: !context.hasBody,
    status: undefined,
    error: undefined,
    fault: undefined,
    hint: undefined,
    answer: undefined,
  };
  session.record(context.recorded);
}

/** Records the outcome of a request. A client that has left has received nothing. */
export function recordOutcome(context: Context, outcome: Outcome): void {
  recordArrival(context);
  const { session, recorded, isAborted } = context;
  if (recorded === undefined) return;
  const answer = 'reply' in outcome && !isAborted ? outcome.reply : undefined;
  const failure = 'failure' in outcome && !isAborted ? outcome.failure : undefined;
  session.journal.end(recorded, {
    ms: context.measureDuration(),
    status: answer?.status,
    error: failure ?? answer?.error?.code,
    fault: isAborted ? undefined : context.fault,
    hint: context.hint ?? answer?.error?.hint,
    answer: answer && keepAnswer(answer),
  });
}

/** Keeps the start of a long body only. */
function keepAnswer(reply: Reply): RecordedAnswer {
  if (reply.body.length <= LONGEST_SHOWN) return reply;
  return { ...reply, ...keepBody(new TextEncoder().encode(reply.body)) };
}

/** Changes the outcome of a request as a fault requires, records it, and returns it. */
export function finishRequest(context: Context, given: Outcome): Outcome {
  const outcome = (given.wire === 'whole' && context.alter?.(given.reply)) || given;
  recordOutcome(context, outcome);
  return outcome;
}
