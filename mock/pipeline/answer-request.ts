import { ApiError } from '../../common/http/api-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { applyFault } from './apply-fault.ts';
import { checkKey } from './check-key.ts';
import type { Context, Outcome, Step } from './context.ts';
import { finishRequest } from './finish-request.ts';
import { limitRate } from './limit-rate.ts';
import { operationSteps } from './operation-steps.ts';

type ReportFault = (error: unknown) => void;

/** Runs an operation, and the steps before it. @throws ApiError for a request that it refuses */
export function runOperation(context: Context, operation: OperationName): Promise<Outcome> {
  context.operation = operation;
  return takeSteps(context, operationSteps[operation]);
}

/** Runs the last step of a request of the service, and the steps before it: 401 comes before 404 and 405. */
export async function takeSteps(context: Context, last: Step): Promise<Outcome> {
  const end = limitRate(context) ?? (await applyFault(context)) ?? checkKey(context) ?? (await last(context));
  if (end === undefined) throw new Error('No step has ended the request.');
  return end;
}

/**
 * Answers a request of the service without Express. It never throws.
 * @param run Runs the operation of the request, or refuses it.
 * @param reportFault is called with every error that is not an ApiError.
 */
export async function answerRequest(
  context: Context,
  run: (context: Context) => Promise<Outcome>,
  reportFault: ReportFault,
): Promise<Outcome> {
  try {
    return finishRequest(context, await run(context));
  } catch (error) {
    return finishRequest(context, toErrorReply(error, reportFault));
  }
}

/** Returns the reply to a request that failed. An error that is not an ApiError is a fault of the mock. */
export function toErrorReply(error: unknown, reportFault: ReportFault): Reply {
  if (error instanceof ApiError) return error.reply;
  reportFault(error);
  return new ApiError('internal_error', 'The mock failed. Its log has the error. Please report it.').reply;
}
