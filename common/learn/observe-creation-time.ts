import type { Exchange } from './exchange.ts';
import { type FinishedRun, NOT_SHOWN, type Observation } from './finished-run.ts';

/** With fewer requests, a busy machine may look like a slow service. */
const ENOUGH = 8;

/** A shorter time is that of the network or of a busy machine, in ms. */
const SHORTEST_TIME = 100;

/** How many times as long as slow reads the fast creations have to take. */
const FACTOR = 3;

/** The share of requests that are taken for fast, and for slow. */
const FAST = 0.1;
const SLOW = 0.9;

/** To which a time is rounded down, in ms, so that the mock is no slower than the deployment. */
const ROUNDING = 50;

/** By how much a request may be faster than the fastest read, but for the time itself, in ms. */
const SLACK = 5;

/** Observes the time that almost all creations take more than reads do. */
export function observeCreationTime({ additions, lists, fetches }: FinishedRun): Observation {
  const reads = [...lists, ...fetches];
  if (additions.length < ENOUGH || reads.length < ENOUGH) return { unknown: NOT_SHOWN };
  const [fast, middle] = [FAST, 0.5].map((share) => findQuantile(additions, share)) as [number, number];
  const [usual, slow] = [0.5, SLOW].map((share) => findQuantile(reads, share)) as [number, number];
  const evidence = additions.slice(0, 2);
  const more = fast - usual;
  if (more < SHORTEST_TIME) return { value: 0, evidence };
  if (fast < FACTOR * slow || middle > 2 * fast) return { unknown: 'the time is not certain enough' };
  // The fastest read is the way to the deployment and back.
  const own = fast - findQuantile(reads, 0) + SLACK;
  return { value: Math.floor(own / ROUNDING) * ROUNDING, evidence };
}

/** Returns the time that a share of exchanges does not exceed, in ms. */
function findQuantile(exchanges: readonly Exchange[], share: number): number {
  const times = exchanges.map(({ ms }) => ms).toSorted((one, other) => one - other);
  return times[Math.floor(share * (times.length - 1))] ?? 0;
}
