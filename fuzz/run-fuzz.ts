import fc from 'fast-check';
import type { RawRequest } from '../bench/send-raw.ts';

/** Something hostile that is done to a server once. */
export interface Trial {
  /** What it has in common with others. */
  readonly kind: string;
  /** How many requests it makes. @default 1 */
  readonly requests?: number;
  /** Says what does it again. */
  describe(): string;
  /** @returns the status of the answer. @throws when the server did what none may do. */
  run(url: string): Promise<string>;
}

/** A server and what is tried on it. */
interface FuzzTarget {
  readonly name: string;
  /** Its base URL. */
  readonly url: string;
  readonly trials: fc.Arbitrary<Trial>;
  isAlive(): boolean;
}

/** How much is tried at once. */
const LANES = 48;

/** How long to look for a smaller trial that fails too, in milliseconds. */
const SHRINKING = 10_000;

/**
 * Tries hostile things on some servers at once, in lanes each of which stops at its first problem.
 *
 * @param seed the same seed makes the same trials.
 * @param duration after so many milliseconds nothing more is begun.
 * @returns the problems, each with what does it again, and how often each answer came by target and by kind of trial.
 */
export async function runFuzz(targets: readonly FuzzTarget[], seed: number, count: number, duration: number) {
  const problems: string[] = [];
  const answers: Record<string, Record<string, number>> = {};
  const latest = performance.now() + duration;
  let done = 0;
  const work = async (target: FuzzTarget, lane: number) => {
    // A server that ends takes a moment, in which more is tried.
    let recent: Trial[] = [];
    let end = latest;
    const property = fc.asyncProperty(target.trials, async (trial) => {
      if (performance.now() > end || !target.isAlive()) return;
      let answer = 'a problem';
      try {
        answer = await trial.run(target.url);
        recent = [trial, ...recent.slice(0, 2)];
      } catch (error) {
        end = Math.min(end, performance.now() + SHRINKING);
        throw error;
      } finally {
        done += 1;
        for (const name of [`(all to the ${target.name})`, trial.kind]) {
          answers[name] ??= {};
          answers[name][answer] = (answers[name][answer] ?? 0) + 1;
        }
      }
    });
    const numRuns = Math.ceil((count - lane) / LANES);
    const parameters = { seed: seed * LANES + lane, numRuns, interruptAfterTimeLimit: duration };
    const { counterexample, errorInstance } = await fc.check(property, parameters);
    const tell = (trial: Trial, problem: string) => `the ${target.name}: ${problem}.\n  ${trial.describe()}`;
    if (!target.isAlive()) problems.push(...recent.map((trial) => tell(trial, 'it has ended')));
    else if (counterexample) problems.push(tell(counterexample[0], (errorInstance as Error).message));
  };
  const lanes = Array.from({ length: Math.min(LANES, count) }, (_, lane) => lane);
  await Promise.all(lanes.map((lane) => work(targets[lane % targets.length] as FuzzTarget, lane)));
  return { problems, answers, done };
}

/** A command that sends bytes, for all but how the connection ends. */
export function printNetcat({ bytes, ending }: RawRequest): string {
  return `printf '%b' '${quote(bytes)}' | nc <host> <port>   (${ending})`;
}

/** Prints bytes as an argument of printf between single quotes. */
export function quote(bytes: string): string {
  const toOctal = (byte: string) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return bytes.replaceAll(/[^ -~]|['\\]/g, toOctal);
}
