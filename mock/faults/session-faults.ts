import type { Outcome } from '../session/outcome.ts';
import type { Plugin, ReceivedCall } from '../session/plugin.ts';
import { ActiveFaults, type EndingFault } from './faults.ts';

const ending = Symbol('ending');

/** A call, with the fault that decides how it ends. */
type FaultedCall = ReceivedCall & { [ending]?: EndingFault };

/** Delays, holds, ends and changes requests of a session. */
export class SessionFaults extends ActiveFaults implements Plugin {
  before(call: ReceivedCall): Promise<Outcome | undefined> | undefined {
    return this.isActive ? this.#before(call) : undefined;
  }

  async #before(call: FaultedCall): Promise<Outcome | undefined> {
    const { over, ended } = await this.apply(call);
    if (over !== undefined) {
      // The journal shows a request that waits, with its body.
      if (call.hasBody) call.readBody().catch(() => {});
      await over;
    }
    if (call.isAborted) return { wire: 'reset', failure: 'connection_reset' };
    if (ended === undefined) return undefined;
    call[ending] = ended;
    if (ended.end.end === undefined) return undefined;
    // For the journal.
    await call.readBody().catch(() => {});
    return ended.end.end({ operation: call.operation, faultId: ended.id });
  }

  after(outcome: Outcome, call: FaultedCall): Outcome {
    const { [ending]: ended } = call;
    if (ended === undefined) return outcome;
    const { id, end } = ended;
    const isWhole = outcome.wire === 'whole' && end.alter !== undefined;
    const altered = isWhole ? end.alter(outcome.reply, { operation: call.operation, faultId: id }) : outcome;
    return { ...altered, fault: id };
  }

  close(): void {
    // Requests that arrive on an open connection must not wait either.
    this.clear();
  }
}
