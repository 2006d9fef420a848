import type { Context } from '../pipeline/context.ts';
import { finishRequest } from '../pipeline/finish-request.ts';
import { toErrorReply } from '../pipeline/take-steps.ts';
import type { Outcome } from '../session/fault-effects.ts';

/**
 * Answers a request of the service without Express.
 * @param run Runs the operation of the request, or refuses it.
 * @param reportFault is called with every error that is not an ApiError.
 */
export async function answerRequest(
  context: Context,
  run: (context: Context) => Promise<Outcome>,
  reportFault: (error: unknown) => void,
): Promise<Outcome> {
  const toOutcome = (error: unknown): Outcome => ({ wire: 'whole', reply: toErrorReply(error, reportFault) });
  const outcome = await run(context).catch(toOutcome);
  return finishRequest(context, outcome);
}
