import { isDelay } from '../session/delay.ts';
import type { FaultEnd, Outcome } from '../session/fault-effects.ts';
import type { Context } from './context.ts';

/**
 * Delays, holds, ends and changes requests, by the faults of their session and by their own header Prefer.
 * @returns undefined for a request that goes on
 */
export function applyFault(context: Context): Promise<Outcome | undefined> | undefined {
  const { faults } = context.session;
  const { prefer } = context.headers;
  if (!faults.isActive && prefer === undefined) return undefined;
  const { applied, ...preferred } = readPrefer(prefer);
  context.preferenceApplied = applied;
  const { wait, end, endedBy } = faults.choose(context, preferred);
  if (wait.heldBy === undefined && wait.delay === 0) return end && applyEnd(context, end, endedBy);
  const { over, stop } = faults.wait(wait);
  // The journal shows a request that waits, with its body.
  if (context.hasBody) context.readBody().catch(() => {});
  context.onClose(stop);
  return over.then(() => (context.isAborted ? aborted : end && applyEnd(context, end, endedBy)));
}

/** The outcome of a request whose client has left. */
const aborted: Outcome = { wire: 'reset', failure: 'connection_reset' };

async function applyEnd(context: Context, { end, alter }: FaultEnd, faultId: number | undefined) {
  context.fault = faultId;
  const request = { operation: context.operation, faultId };
  if (alter !== undefined) context.alter = (reply) => alter(reply, request);
  if (end === undefined) return undefined;
  // For the journal.
  await context.readBody().catch(() => {});
  return end(request);
}

/**
 * Reads `Prefer: code=500, delay=2000`. Unknown preferences, and values that cannot be met, are ignored. `applied` is the value
 * of Preference-Applied. Source: RFC 7240 section 2
 */
function readPrefer(header = '') {
  const code = /(?:^|,)\s*code\s*=\s*"?([45]\d\d)"?\s*(?:[,;]|$)/i.exec(header)?.[1];
  const given = /(?:^|,)\s*delay\s*=\s*"?([\d-]+)"?\s*(?:[,;]|$)/i.exec(header)?.[1];
  const delay = isDelay(given) ? given : undefined;
  const applied = [code && `code=${code}`, delay && `delay=${delay}`].filter(Boolean).join(', ');
  return { status: code === undefined ? undefined : Number(code), delay, applied: applied || undefined };
}
