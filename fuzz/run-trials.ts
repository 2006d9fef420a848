import fc from 'fast-check';

/** Something that is done to a server once. */
export interface Trial {
  /** Prints how to do it again. */
  readonly describe: () => string;
  /** @throws if the server did what no server may do. */
  readonly run: (url: string) => Promise<unknown>;
}

/** Number of trials at once. */
const LANES = 48;

/** After this many problems no further trial begins. */
const MOST_PROBLEMS = 10;

/**
 * Runs random trials on the server at `url`. The same seed makes the same trials.
 * @param duration in milliseconds; afterwards no further trial begins.
 */
export async function runTrials(
  url: string,
  trials: fc.Arbitrary<Trial>,
  { seed, count, duration }: { seed: number; count: number; duration: number },
) {
  const problems: string[] = [];
  const end = performance.now() + duration;
  const source = draw(trials, seed);
  let begun = 0;
  const work = async () => {
    while (begun < count && performance.now() < end && problems.length < MOST_PROBLEMS) {
      begun += 1;
      const trial = source.next().value as Trial;
      await trial.run(url).catch((error) => problems.push(`${error.message}\n  ${trial.describe()}`));
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  return { problems, begun };
}

function* draw(trials: fc.Arbitrary<Trial>, seed: number): Generator<Trial> {
  for (let batch = 0; ; batch += 1) yield* fc.sample(trials, { seed: seed * 1_000_000 + batch, numRuns: 50 });
}

/** Random bytes, each as a character. */
export function bytes(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array).toString('latin1'));
}

/** Prints bytes as an argument of printf between single quotes. */
export function quote(bytes: string): string {
  const toOctal = (byte: string) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return bytes.replaceAll(/[^ -~]|['\\]/g, toOctal);
}
