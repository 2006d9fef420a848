import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clauses } from '../clauses/clauses.ts';
import { resolveTarget } from '../core/target.ts';
import { concludeReport } from '../report.ts';
import { runSuite } from '../run.ts';

/** How long a mutant may take to start, and how long to answer a request, in milliseconds. */
const LONGEST_START = 20_000;
const LONGEST_ANSWER = 3_000;

/** Without Dredd, which takes a second for each mutant. */
const wanted = clauses.map(({ id }) => id).filter((id) => !id.startsWith('replay/'));

/**
 * Runs the suite against the mock with one mutant switched on.
 *
 * @param folder where the instrumented mock is.
 * @param id of the mutant; undefined leaves all of them off.
 * @returns the ids of the clauses that failed, or why nothing could be told; an empty list is a mutant that survived.
 */
export async function tryMutant(folder: string, id: string | undefined): Promise<readonly string[]> {
  const child = spawn(
    process.execPath,
    [join(folder, 'mock/cli.ts'), '--port', '0', '--no-checked-proxy', '--log', 'silent'],
    {
      env: { PATH: process.env.PATH, ...(id === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: id }) },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  try {
    const url = await readUrl(child);
    if (url === undefined) return ['it does not start'];
    return await verify(url);
  } finally {
    child.kill('SIGKILL');
  }
}

async function readUrl(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) return undefined;
  const tooLate = setTimeout(() => child.kill('SIGKILL'), LONGEST_START);
  try {
    const [line] = await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      once(child, 'exit').then(() => []),
    ]);
    return /listening on (http:\S+)$/.exec(line ?? '')?.[1];
  } finally {
    clearTimeout(tooLate);
  }
}

async function verify(baseUrl: string): Promise<readonly string[]> {
  const quickstart = new URL(baseUrl).origin;
  const target = resolveTarget({
    baseUrl,
    apiKey: 'test-key',
    quickstart,
    timeout: LONGEST_ANSWER,
    runs: 10,
  });
  const report = await runSuite(target, { only: wanted });
  if (concludeReport(report) === 'could not tell') return ['nothing could be told'];
  return report.outcomes.filter(({ verdict }) => verdict === 'failed').map(({ clause }) => clause.id);
}
