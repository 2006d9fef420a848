import type { FaultOptions } from '../../mock/faults/fault-options.ts';
import type { Fault } from '../../mock/faults/faults.ts';

/** Returns the options that add a fault again for the requests that are left to it; undefined if none is left. */
export function findOptionsLeft(fault: Fault): FaultOptions | undefined {
  const { id: _id, used, held: _held, times, ...options } = fault;
  if (times === undefined) return options;
  return times > used ? { ...options, times: times - used } : undefined;
}
