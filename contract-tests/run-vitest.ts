import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Reporter, startVitest, type TestCase, type TestRunEndReason } from 'vitest/node';
import { clauses } from './clauses/clauses.ts';
import type { Outcome } from './outcome.ts';
import type { ProvidedTarget } from './provided-target.ts';
import type { Report, Traffic } from './report.ts';
import { RunError } from './run-error.ts';

/**
 * Has Vitest run the checks against a target.
 *
 * @throws RunError when a check had no outcome, which is a fault of the suite.
 */
export async function runVitest(target: ProvidedTarget): Promise<Report> {
  const startedAt = new Date();
  const collector = createCollector();
  const file = fileURLToPath(new URL(import.meta.url.replace(/[^/]*(\.[tj]s)$/, 'conformance.contract$1')));
  const vitest = await startVitest('test', [], {
    config: false,
    root: dirname(file),
    include: [file],
    // The installed package is under node_modules.
    exclude: [],
    watch: false,
    // An exit code of Vitest's would be overwritten anyway.
    passWithNoTests: true,
    reporters: [collector.reporter],
    provide: { target },
    cache: false,
  });
  await vitest.close();
  const { outcomes, traffic, faults } = collector.read();
  if (faults.length > 0) throw new RunError(faults.join('\n'));
  if (outcomes.length === 0) throw new RunError('No check has run.');
  const ms = Date.now() - startedAt.getTime();
  const ordered = outcomes.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { baseUrl: target.baseUrl, startedAt: startedAt.toISOString(), ms, ...traffic, outcomes: ordered };
}

/** How long nothing is told of a run that goes on, in milliseconds. */
const SILENCE = 10_000;

/** Its place in the specification. */
function placeOf({ clause }: Outcome): number {
  return clauses.findIndex(({ id }) => id === clause.id);
}

function createCollector() {
  const outcomes: Outcome[] = [];
  const faults: string[] = [];
  let traffic: Traffic = { requests: 0, animalsAdded: 0 };
  let told = Date.now();
  const reporter: Reporter = {
    onTestCaseResult(test: TestCase) {
      const { outcome, traffic: latest } = test.meta();
      if (outcome === undefined) {
        const errors = test.result().errors?.map(({ message }) => message) ?? [];
        faults.push(`${test.name}: ${errors.join('; ') || 'it has no outcome'}`);
        return;
      }
      outcomes.push(outcome);
      traffic = latest ?? traffic;
      const now = Date.now();
      if (now - told < SILENCE) return;
      told = now;
      process.stderr.write(`… ${outcomes.length} clauses, ${traffic.requests} requests\n`);
    },
    onTestRunEnd(_modules, errors, _reason: TestRunEndReason) {
      faults.push(...errors.map(({ message }) => message));
    },
  };
  return { reporter, read: () => ({ outcomes, traffic, faults }) };
}
