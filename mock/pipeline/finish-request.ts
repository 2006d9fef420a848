import { keepBody } from '../../common/journal/journal-entry.ts';
import { readTime } from '../../common/real-time.ts';
import type { Context, Outcome } from './context.ts';
import { dressReply } from './dress-reply.ts';

/** Dresses the outcome of a request as the behaviour of its session requires, records it, and returns it. */
export function finishRequest(context: Context, given: Outcome): Outcome {
  const outcome = dressReply(context, given);
  recordRequest(context, outcome);
  return outcome;
}

function recordRequest(context: Context, outcome: Outcome): void {
  const { session, time, operation, method, headers, bytes, isAborted, sentAs } = context;
  // The session does not exist.
  if (context.sessionName !== session.name) return;
  const answer = isAborted || outcome === 'drop' ? undefined : outcome;
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
    error: outcome === 'drop' && !isAborted ? 'connection_reset' : answer?.error?.code,
    answer,
  });
}
