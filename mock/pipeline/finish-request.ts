import type { Outcome } from '../session/fault-effects.ts';
import type { Context } from './context.ts';
import { dressReply } from './dress-reply.ts';
import { recordOutcome } from './record-request.ts';

/** Changes the outcome of a request as the behaviour and a fault of its session require, records it, and returns it. */
export function finishRequest(context: Context, given: Outcome): Outcome {
  const outcome = given.wire === 'whole' ? finishReply(context, given) : given;
  recordOutcome(context, outcome);
  return outcome;
}

function finishReply(context: Context, given: Extract<Outcome, { wire: 'whole' }>): Outcome {
  const reply = dressReply(context, given.reply);
  return context.alter?.(reply) ?? { ...given, reply };
}
