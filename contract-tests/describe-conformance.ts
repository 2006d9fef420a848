import { findTestFunctions, type TestFunctions } from '../common/find-test-functions.ts';
import { toHarmless } from '../common/text/harmless-text.ts';
import { describeResult } from './reporters/describe-report.ts';
import { printReason } from './reporters/print-summary.ts';
import { expectVerifyOptions, findIds, resolveVerifyOptions } from './resolve-verify-options.ts';
import { listClauses } from './rules/clauses.ts';
import { expectReady } from './runner/expect-ready.ts';
import { isFailure, type Report, type Result } from './runner/report.ts';
import { runSuite } from './runner/run.ts';
import type { VerifyOptions } from './verify-options.ts';

/** Options of the tests: the options of `verifyDeployment`, with another `baseUrl`. */
export interface ConformanceOptions extends Omit<VerifyOptions, 'baseUrl' | 'onResult' | 'signal'> {
  /** The base URL, or a function that the first test calls, since your server may start after the tests are declared. */
  readonly baseUrl: string | (() => string | Promise<string>);
}

/**
 * Declares a test for each clause. The first test runs the suite, and each test has the result of its clause. A clause that is not
 * tested is skipped if the test runner can skip a test that has begun (Vitest, `node:test`), and otherwise passes (Jest).
 *
 * @param functions functions of your test runner. @default the global functions, or else `node:test`
 * @throws UsageError naming the option that is wrong and what was expected.
 */
export function describeConformance(
  options: ConformanceOptions,
  functions: TestFunctions = findTestFunctions('describeConformance(options, { describe, test })'),
): void {
  const baseUrl = typeof options.baseUrl === 'function' ? 'http://127.0.0.1' : options.baseUrl;
  const { only, deadline, timeout } = expectVerifyOptions({ ...options, baseUrl });
  let running: Promise<Report> | undefined;
  functions.describe('conforms to the specification of the Animal Store Service', () => {
    for (const { id, sentence } of listClauses(findIds(only, 'only'))) {
      // Jest takes a parameter for the callback of its older tests.
      const run = async (...[context]: readonly unknown[]) => {
        running ??= runAll(options);
        const { outcomes } = await running;
        for (const result of outcomes) if (result.clause.id === id) report(result, context);
      };
      // The first test waits for the whole run, whichever test that is.
      functions.test(`${id}: ${sentence}`, run, deadline + timeout);
    }
  });
}

async function runAll({ baseUrl, ...others }: ConformanceOptions): Promise<Report> {
  const url = typeof baseUrl === 'function' ? await baseUrl() : baseUrl;
  const { target, ...run } = await resolveVerifyOptions({ ...others, baseUrl: url });
  return runSuite(target, { ...run, ...(await expectReady(target)) });
}

/** A clause that was not tested for one of these causes fails its test: the run would seem successful otherwise. */
const endings: ReadonlySet<string> = new Set(['deadline', 'interrupted', 'no verdict']);

/** Fails or skips the test of a clause, depending on its result. */
function report(result: Result, context: unknown): void {
  const { clause, verdict, evidence, follows, cause = '' } = result;
  if (verdict === 'passed') return;
  const reason = toHarmless(printReason(describeResult(result)));
  if (verdict === 'error') throw new Error(`The suite itself failed: ${reason}`);
  // A recommendation fails nothing.
  if (isFailure(result) || (clause.level === 'required' && endings.has(cause))) {
    const more = follows === undefined ? toHarmless(evidence?.curl ?? '') : `The same reason as ${follows}`;
    throw new Error([clause.sentence, reason, more].join('\n').trimEnd());
  }
  // This ends the test in Vitest, and marks it in node:test.
  (context as { skip?: (reason: string) => void } | undefined)?.skip?.(reason);
}
