import type { Outcome } from '../session/fault-effects.ts';
import type { EndingFault } from '../session/faults.ts';
import type { Context } from './context.ts';

/**
 * Delays, holds, ends and changes requests, by the faults of their session.
 * @returns undefined for a request that goes on
 */
export async function applyFault(context: Context): Promise<Outcome | undefined> {
  const { faults } = context.session;
  if (!faults.isActive) return undefined;
  const { over, ended } = await faults.apply(context);
  if (over !== undefined) {
    // The journal shows a request that waits, with its body.
    if (context.hasBody) context.readBody().catch(() => {});
    await over;
  }
  if (context.isAborted) return aborted;
  return ended && applyEnd(context, ended);
}

/** The outcome of a request whose client has left. */
const aborted: Outcome = { wire: 'reset', failure: 'connection_reset' };

async function applyEnd(context: Context, { id, end: { end, alter } }: EndingFault) {
  context.fault = id;
  const request = { operation: context.operation, faultId: id };
  if (alter !== undefined) context.alter = (reply) => alter(reply, request);
  if (end === undefined) return undefined;
  // For the journal.
  await context.readBody().catch(() => {});
  return end(request);
}
