import fc from 'fast-check';

/** Something that is done to a server once. */
export interface Trial {
  /** Prints how to do it again. */
  readonly describe: () => string;
  /** @throws if the server did what no server may do. */
  readonly run: (url: string) => Promise<unknown>;
}

/** Number of trials at once. Each lane ends at its first problem. */
const LANES = 50;

/** Runs random trials on the server at `url`, the same in each run. @param count a multiple of the trials at once @returns problems */
export async function runTrials(
  url: string,
  trials: fc.Arbitrary<Trial>,
  count: number,
): Promise<readonly string[]> {
  const property = fc.asyncProperty(trials, async (trial) => void (await trial.run(url)));
  const bounds = { numRuns: count / LANES, endOnFailure: true };
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    fc.check(property, { ...bounds, unbiased: true, seed: LANES + lane }),
  );
  const runs = await Promise.all(lanes);
  return runs.flatMap(({ failed, errorInstance, counterexample }) =>
    failed ? [`${errorInstance}\n  ${counterexample?.[0].describe()}`] : [],
  );
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
