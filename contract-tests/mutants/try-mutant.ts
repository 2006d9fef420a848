import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { clauses } from '../clauses/clauses.ts';
import { resolveTarget } from '../client/target.ts';
import { SuiteRun } from '../runner/run.ts';

/** How long a mutant may take to start, and how long to answer a request, in milliseconds. */
const [LONGEST_START, LONGEST_ANSWER] = [30_000, 5_000];

/** Without Dredd, which takes a second for each mutant. */
const wanted = clauses.map(({ id }) => id).filter((id) => !id.startsWith('replay/'));

/**
 * Runs the suite against the mock with one mutant switched on.
 *
 * @param folder where the instrumented mock is.
 * @param id of the mutant; undefined leaves all of them off.
 * @returns the id of the first clause that failed, or why nothing could be told; undefined when the mutant survived.
 */
export async function tryMutant(folder: string, id?: string): Promise<string | undefined> {
  const args = ['mock/cli.ts', '--port', '0', '--no-checked-proxy', '--log', 'silent'];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, __STRYKER_ACTIVE_MUTANT__: id },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const signal = AbortSignal.timeout(LONGEST_START);
    for await (const line of createInterface({ input: child.stdout, signal })) {
      const [, url] = /listening on (http:\S+)$/.exec(line) ?? [];
      if (url !== undefined) return await verify(url);
    }
    return 'it does not start';
  } finally {
    child.kill('SIGKILL');
  }
}

async function verify(baseUrl: string): Promise<string | undefined> {
  const quickstart = new URL(baseUrl).origin;
  const options = {
    ...{ baseUrl, apiKey: 'test-key', allowsWrites: true, quickstart },
    ...{ timeout: LONGEST_ANSWER, runs: 10 },
  };
  const run = new SuiteRun(resolveTarget(options), { only: wanted });
  let passed = 0;
  for (const clause of run.clauses) {
    const { verdict, cause } = await run.test(clause);
    // There is no verdict without the clause.
    if (verdict === 'failed' || cause === 'no verdict') return clause.id;
    if (verdict === 'passed') passed += 1;
  }
  return passed === 0 ? 'nothing could be told' : undefined;
}
