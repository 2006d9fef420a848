import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { Trial } from '../fuzz/run-fuzz.ts';

/** How a load is run. */
interface LoadConfig {
  readonly url: string;
  readonly trials: fc.Arbitrary<Trial>;
  /** The same seed makes the same trials in the same order. */
  readonly seed: number;
  /** Requests a second; fewer where the machine does not give as many. */
  readonly rate: number;
  /** How many requests to make at the most. */
  readonly count: number;
  /** When to begin no more, in milliseconds. */
  readonly duration: number;
}

/** A trial that is over; times in milliseconds from the beginning of the load. */
export interface Sample {
  readonly kind: string;
  readonly begun: number;
  readonly ended: number;
}

/** The most trials at once, so that on a slow machine they do not wait for each other. */
const MOST_AT_ONCE = 64;

/** After so many problems nothing more is begun. */
const MOST_PROBLEMS = 100;

/** How many trials are made up at once. */
const BATCH = 500;

/** Runs trials, paced by time. @returns how often each kind came, what was wrong, and the times of the `timed` kind. */
export async function runLoad(config: LoadConfig, timed: string) {
  const { url, rate, count, duration } = config;
  const begin = performance.now();
  const now = () => performance.now() - begin;
  const counts: Record<string, number> = {};
  const samples: Sample[] = [];
  const problems: string[] = [];
  const open = new Set<Promise<void>>();
  let requests = 0;
  const attempt = async (trial: Trial) => {
    const begun = now();
    try {
      await trial.run(url);
    } catch (error) {
      problems.push(`${trial.kind}: ${(error as Error).message}\n  ${trial.describe()}`);
    }
    if (trial.kind === timed) samples.push({ kind: timed, begun, ended: now() });
  };
  const trials = makeUp(config);
  for (
    let [due, last] = [0, 0];
    requests < count && now() < duration && problems.length < MOST_PROBLEMS;
    await delay(5)
  ) {
    // What the machine did not give is not made up for, but for the last second.
    due = Math.min(due + ((now() - last) * rate) / 1_000, rate);
    last = now();
    while (due > 0 && open.size < MOST_AT_ONCE && requests < count) {
      const trial = trials.next().value as Trial;
      due -= trial.requests ?? 1;
      requests += trial.requests ?? 1;
      counts[trial.kind] = (counts[trial.kind] ?? 0) + 1;
      const attempted = attempt(trial).finally(() => open.delete(attempted));
      open.add(attempted);
    }
  }
  const seconds = now() / 1_000;
  await Promise.all(open);
  return { counts, samples, problems, requests, seconds };
}

function* makeUp({ trials, seed }: LoadConfig): Generator<Trial> {
  for (let batch = 0; ; batch += 1)
    yield* fc.sample(trials, { seed: seed * 100_000 + batch, numRuns: BATCH });
}
