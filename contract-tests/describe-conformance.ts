import { findTestFunctions, type TestFunctions } from '../common/find-test-functions.ts';
import { toHarmless } from '../common/text/harmless-text.ts';
import { clauses } from './clauses/clauses.ts';
import { describeResult } from './reporters/describe-report.ts';
import { printReason } from './reporters/print-summary.ts';
import { expectVerifyOptions, findIds, resolveVerifyOptions } from './resolve-verify-options.ts';
import { expectReady } from './runner/expect-ready.ts';
import { linkFailures } from './runner/links/link-failures.ts';
import { isFailure, type Result } from './runner/report.ts';
import { listClauses, listEarlier, SuiteRun } from './runner/run.ts';
import type { VerifyOptions } from './verify-options.ts';
import type { Clause } from './vocabulary/clause.ts';

/** Options of the tests: the options of `verifyDeployment`, with another `baseUrl`. */
export interface ConformanceOptions extends Omit<VerifyOptions, 'baseUrl' | 'onResult' | 'signal'> {
  /** The base URL, or a function that the first test calls, since your server may start after the tests are declared. */
  readonly baseUrl: string | (() => string | Promise<string>);
}

/**
 * Declares a test for each clause. The tests run one after the other. A clause that is not tested or not applicable is skipped
 * if the test runner can skip a test that has begun (Vitest, `node:test`), and otherwise passes (Jest).
 *
 * @param functions functions of your test runner. @default the global functions, or else `node:test`
 * @throws UsageError naming the option that is wrong and what was expected.
 */
export function describeConformance(
  options: ConformanceOptions,
  functions: TestFunctions = findTestFunctions('describeConformance(options, { describe, test })'),
): void {
  const baseUrl = typeof options.baseUrl === 'function' ? 'http://127.0.0.1' : options.baseUrl;
  const {
    only: starts,
    deadline,
    timeout,
    allowWrites,
  } = expectVerifyOptions({
    ...options,
    baseUrl,
  });
  const only = findIds(starts, 'only');
  const earlier = listEarlier(only, { allowsWrites: allowWrites });
  // One after the other, even if the tests start at the same time.
  let last: Promise<unknown> = Promise.resolve();
  let started: ReturnType<typeof startRun> | undefined;
  const results: Result[] = [];
  const testInTurn = async (clause: Clause) => {
    started ??= startRun(options);
    const run = await started;
    const result = last.then(() => run.test(clause));
    last = result;
    results.push(await result);
    return linkFailures(results, run.facts, clauses).at(-1) ?? result;
  };
  functions.describe('conforms to the specification of the Animal Store Service', () => {
    for (const clause of listClauses([...only, ...earlier])) {
      // Jest takes a parameter for the callback of its older tests.
      const run = async (...[context]: readonly unknown[]) => report(await testInTurn(clause), context);
      functions.test(`${clause.id}: ${clause.sentence}`, run, deadline + timeout);
    }
  });
}

async function startRun({ baseUrl, ...others }: ConformanceOptions) {
  const url = typeof baseUrl === 'function' ? await baseUrl() : baseUrl;
  const { target, ...run } = await resolveVerifyOptions({ ...others, baseUrl: url });
  return new SuiteRun(target, { ...run, ...(await expectReady(target)) });
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
    const more = follows === undefined ? toHarmless(evidence?.curl ?? '') : `The same evidence as ${follows}`;
    throw new Error([clause.sentence, reason, more].join('\n').trimEnd());
  }
  // This ends the test in Vitest, and marks it in node:test.
  (context as { skip?: (reason: string) => void } | undefined)?.skip?.(reason);
}
