import { ApiError } from '../../common/http/api-error.ts';
import type { Reply } from '../../common/http/reply.ts';
import type { OperationName } from '../../common/journal/operation-name.ts';
import type { Outcome } from '../session/fault-effects.ts';
import { applyFault } from './apply-fault.ts';
import { checkKey } from './check-key.ts';
import type { Context, LastStep } from './context.ts';
import { limitRate } from './limit-rate.ts';
import { operationSteps } from './operation-steps.ts';
import { recordArrival } from './record-request.ts';
import { methodRefusals, refusePath } from './refusals.ts';

/** Runs an operation, and the steps before it. @throws ApiError for a request that it refuses */
export function runOperation(context: Context, operation: OperationName): Promise<Outcome> {
  return takeSteps(context, enterOperation(context, operation));
}

/** Names the operation of a request, and returns its last step: a refusal of HEAD, if the behaviour has none. */
export function enterOperation(context: Context, operation: OperationName): LastStep {
  const { method, session } = context;
  if (method === 'HEAD' && session.behaviour.head === 405) return methodRefusals[operation];
  context.operation = operation;
  return operationSteps[operation];
}

/** Runs the last step of a request of the service, and the steps before it: 401 comes before 405, and usually before 404. */
export async function takeSteps(context: Context, last: LastStep): Promise<Outcome> {
  recordArrival(context);
  const limited = limitRate(context);
  if (limited !== undefined) return { wire: 'whole', reply: limited };
  const failed = await applyFault(context);
  if (failed !== undefined) return failed;
  return { wire: 'whole', reply: checkKeyFor(context, last) ?? (await last(context)) };
}

/** Refuses a request without a key, unless there is nothing at its path and the behaviour says so first. */
function checkKeyFor(context: Context, last: LastStep): Reply | undefined {
  const refusal = checkKey(context);
  if (refusal === undefined || last !== refusePath || context.session.behaviour.unknownPathWithoutKey === 401)
    return refusal;
  context.session.noteActed('unknownPathWithoutKey');
  return undefined;
}

/**
 * Returns the reply to a request that failed. An error that is not an ApiError is a fault of the mock.
 * @param reportFault is called with such an error.
 */
export function toErrorReply(error: unknown, reportFault: (error: unknown) => void): Reply {
  if (error instanceof ApiError) return error.reply;
  reportFault(error);
  return new ApiError('internal_error', 'The mock failed. Its log has the error. Please report it.').reply;
}
