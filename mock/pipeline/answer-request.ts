import { ApiError } from '../../common/http/api-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import { applyFault } from './apply-fault.ts';
import { checkKey } from './check-key.ts';
import type { Context, Outcome, Step } from './context.ts';
import { finishRequest } from './finish-request.ts';
import { limitRate } from './limit-rate.ts';

/** The steps before an operation of the service, in their order: 401 comes before 404 and 405. */
export const steps: readonly Step[] = [limitRate, applyFault, checkKey];

type ReportFault = (error: unknown) => void;

/**
 * Answers a request of the service without Express: the steps, and then the operation. It never throws.
 * @param reportFault is called with every error that is not an ApiError.
 */
export async function answerRequest(
  context: Context,
  operation: OperationName | undefined,
  run: Step,
  reportFault: ReportFault,
): Promise<Outcome> {
  context.operation = operation;
  try {
    return finishRequest(context, await takeSteps(context, [...steps, run]));
  } catch (error) {
    return finishRequest(context, toErrorReply(error, reportFault));
  }
}

async function takeSteps(context: Context, all: readonly Step[]): Promise<Outcome> {
  for (const step of all) {
    const outcome = await step(context);
    if (outcome !== undefined) return outcome;
  }
  throw new Error('No step has answered the request.');
}

/** Returns the reply to a request that failed. An error that is not an ApiError is a fault of the mock. */
export function toErrorReply(error: unknown, reportFault: ReportFault): Reply {
  if (error instanceof ApiError) return error.reply;
  reportFault(error);
  return new ApiError('internal_error', 'The mock failed. Its log has the error. Please report it.').reply;
}
