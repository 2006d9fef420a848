import { UsageError } from './cli/usage-error.ts';

/** Functions that declare tests, as in Vitest, Jest and `node:test`. */
export interface TestFunctions {
  describe(name: string, declare: () => void): unknown;
  /** @param timeout in ms. @default the timeout of the test runner */
  test(name: string, run: (...context: unknown[]) => Promise<void>, timeout?: number): unknown;
}

/** Returns the global functions, or else the functions of `node:test`. @param call to write in Vitest without global functions. */
export function findTestFunctions(call: string): TestFunctions {
  const { describe, test } = globalThis as Partial<TestFunctions>;
  if (describe !== undefined && test !== undefined) return { describe, test };
  if ('__vitest_worker__' in globalThis)
    throw new UsageError(`Vitest has no global functions here. Call ${call}.`);
  return process.getBuiltinModule('node:test');
}
