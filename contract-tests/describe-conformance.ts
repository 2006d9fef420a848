import { toHarmless } from '../common/harmless-text.ts';
import { UsageError } from '../common/usage-error.ts';
import type { Clause } from './core/clause.ts';
import { createDeadline } from './core/deadline.ts';
import { createSendRequest } from './core/send-request.ts';
import { targetDefaults } from './core/target.ts';
import { expectReady } from './expect-ready.ts';
import { findIds } from './options.ts';
import { printReason, type Result } from './report.ts';
import { createRun, listClauses } from './run.ts';
import { expectVerifyOptions, resolveVerifyOptions, type VerifyOptions } from './verify-options.ts';

/** Which deployment the tests are for; the other options are those of `verifyDeployment`. */
export interface ConformanceOptions extends Omit<VerifyOptions, 'baseUrl' | 'onResult' | 'signal'> {
  /** The base URL, or what the first test calls for it, since a server of your own may be started after tests are declared. */
  readonly baseUrl: string | (() => string | Promise<string>);
}

/** What declares tests: that of Vitest, Jest, `node:test`, or any that calls them like these. */
export interface TestFunctions {
  describe(name: string, declare: () => void): unknown;
  /** @param timeout in ms. */
  test(name: string, run: (...context: unknown[]) => Promise<void>, timeout: number): unknown;
}

/** A test that its runner can skip once it has begun. */
interface Skippable {
  /** Ends the test in Vitest, and marks it in `node:test`. */
  skip(reason: string): void;
}

/**
 * Declares a test for each clause; they are tried one after the other. A clause that cannot be tried here is skipped where the
 * runner can skip a test that has begun (Vitest, `node:test`), and passes where it cannot (Jest).
 *
 * @param functions those of your test runner. @default the global ones, or else those of `node:test`
 * @throws UsageError naming the option that is wrong and what was expected.
 */
export function describeConformance(
  options: ConformanceOptions,
  functions: TestFunctions = findTestFunctions(),
): void {
  const {
    baseUrl,
    only = [],
    deadline = targetDefaults.deadline,
    timeout = targetDefaults.timeout,
  } = options;
  expectVerifyOptions({ ...options, baseUrl: typeof baseUrl === 'function' ? 'http://127.0.0.1' : baseUrl });
  const tryInTurn = createTryInTurn(options);
  functions.describe('conforms to the specification of the Animal Store Service', () => {
    for (const clause of listClauses(options, only.flatMap(findIds))) {
      // Jest takes a parameter for the callback of its older tests.
      const run = async (...[context]: readonly unknown[]) => tell(await tryInTurn(clause), context);
      functions.test(`${clause.id}: ${clause.sentence}`, run, deadline + timeout);
    }
  });
}

/** Creates what tries one clause after the other, also where the tests are started all at once. */
function createTryInTurn(options: ConformanceOptions): (clause: Clause) => Promise<Result> {
  let started: ReturnType<typeof startRun> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return async (clause) => {
    started ??= startRun(options);
    const { tryClause } = await started;
    const result = last.then(() => tryClause(clause));
    last = result;
    return result;
  };
}

async function startRun({ baseUrl, ...others }: ConformanceOptions) {
  const url = typeof baseUrl === 'function' ? await baseUrl() : baseUrl;
  const { target, only } = await resolveVerifyOptions({ ...others, baseUrl: url });
  const signal = createDeadline(target);
  const sendRequest = createSendRequest(target);
  const { accepted } = await expectReady(target, sendRequest, signal);
  return createRun(target, { only, sendRequest, signal, accepted });
}

/** A clause that one of these left out fails its test: a runner would report success otherwise. */
const endings: ReadonlySet<string> = new Set(['deadline', 'interrupted', 'no verdict']);

/** Fails or skips the test of a clause, depending on its result. */
function tell(result: Result, context: unknown): void {
  const { clause, verdict, evidence, cause = '' } = result;
  if (verdict === 'passed') return;
  const reason = toHarmless(printReason(result));
  if (verdict === 'error') throw new Error(`The suite itself failed: ${reason}`);
  // What is advised fails nothing.
  if (clause.level === 'required' && (verdict === 'failed' || endings.has(cause))) {
    throw new Error([clause.sentence, reason, toHarmless(evidence?.curl ?? '')].join('\n').trimEnd());
  }
  (context as Partial<Skippable> | undefined)?.skip?.(reason);
}

function findTestFunctions(): TestFunctions {
  const { describe, test } = globalThis as Partial<TestFunctions>;
  if (describe !== undefined && test !== undefined) return { describe, test };
  if ('__vitest_worker__' in globalThis) {
    throw new UsageError(
      'Vitest has no global functions here: describeConformance(options, { describe, test })',
    );
  }
  return process.getBuiltinModule('node:test');
}
