import { keepBody } from '../../common/journal/journal-entry.ts';
import { readTime } from '../../common/real-time.ts';
import type { Outcome } from '../session/fault-effects.ts';
import type { Context } from './context.ts';
import { dressReply } from './dress-reply.ts';

/** Changes the outcome of a request as the behaviour and a fault of its session require, records it, and returns it. */
export function finishRequest(context: Context, given: Outcome): Outcome {
  const outcome = given.wire === 'whole' ? finishReply(context, given) : given;
  recordRequest(context, outcome);
  return outcome;
}

function finishReply(context: Context, given: Extract<Outcome, { wire: 'whole' }>): Outcome {
  const reply = dressReply(context, given.reply);
  return context.alter?.(reply) ?? { ...given, reply };
}

function recordRequest(context: Context, outcome: Outcome): void {
  const { session, time, operation, method, headers, bytes, isAborted, sentAs } = context;
  // The session does not exist.
  if (context.sessionName !== session.name) return;
  const answer = 'reply' in outcome && !isAborted ? outcome.reply : undefined;
  const failure = 'failure' in outcome && !isAborted ? outcome.failure : undefined;
  const { body, bodyState } = keepBody(bytes, headers['content-encoding']);
  session.journal.record({
    id: 0,
    time: new Date(time),
    ms: readTime() - time,
    operation,
    method,
    headers,
    sentAs,
    url: session.name === undefined ? context.originalUrl : context.url,
    body,
    bodyState,
    status: answer?.status,
    error: failure ?? answer?.error?.code,
    answer,
  });
}
