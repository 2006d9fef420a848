import { ApiError } from '../../common/http/api-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import { keepBody } from '../../common/journal/journal-entry.ts';
import { readTime } from '../../common/real-time.ts';
import type { Context, Outcome, Step } from './context.ts';
import { dressReply } from './dress-reply.ts';

/**
 * Creates the pipeline: it runs the steps in their order and records the request. It never throws.
 * @param reportFault is called with every error that is not an ApiError.
 */
export function createPipeline(steps: readonly Step[], reportFault: (error: unknown) => void) {
  const run = (context: Context, first: number): Outcome | Promise<Outcome> => {
    for (let index = first; index < steps.length; index += 1) {
      const outcome = steps[index]?.(context);
      // Most requests need no promise.
      if (outcome instanceof Promise) return outcome.then((end) => end ?? run(context, index + 1));
      if (outcome !== undefined) return outcome;
    }
    throw nothingAt(context.path);
  };
  return (context: Context): Outcome | Promise<Outcome> => {
    const finish = (given: Outcome) => {
      const outcome = dressReply(context, given);
      recordRequest(context, outcome);
      return outcome;
    };
    const fail = (error: unknown) => finish(toErrorReply(error, reportFault));
    try {
      const outcome = run(context, 0);
      return outcome instanceof Promise ? outcome.then(finish, fail) : finish(outcome);
    } catch (error) {
      return fail(error);
    }
  };
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

/** Returns the reply to a request that failed. An error that is not an ApiError is a fault of the mock. */
export function toErrorReply(error: unknown, reportFault: (error: unknown) => void): Reply {
  if (error instanceof ApiError) return error.reply;
  reportFault(error);
  return new ApiError('internal_error', 'The mock failed. Its log has the error. Please report it.').reply;
}

/** Decodes a part of a path. @throws ApiError `not_found` if it is not percent-encoded UTF-8 */
export function decodePart(part: string, path: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw nothingAt(path);
  }
}

export function nothingAt(path: string): ApiError {
  const message = `There is nothing at ${path}. The animals are at /v1/pets and /v1/pets/{petId}.`;
  return new ApiError('not_found', message);
}
