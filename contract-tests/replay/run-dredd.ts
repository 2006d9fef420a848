import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Context } from '../core/context.ts';
import { planRequests } from './plan-requests.ts';
import { startRelay } from './start-relay.ts';
import type { DreddJob, DreddReport, Transaction } from './transaction.ts';

/** How much of Dredd's stderr is kept, in characters. */
const LONGEST_STDERR = 2_000;

/**
 * Has Dredd replay openapi.yaml: one request for each response that it documents.
 *
 * @param hooksFile the path of the file of hooks.
 * @throws Error when Dredd did not do its work, which is a fault of the suite.
 */
export async function runDredd(
  context: Context,
  hooksFile: string = fileURLToPath(new URL('./hooks.cjs', import.meta.url)),
): Promise<readonly Transaction[]> {
  const { client } = context;
  const planned = await planRequests(context);
  client.signal.throwIfAborted();
  const { endpoint, exchanges, close } = await startRelay(client, planned);
  try {
    const { verdicts, error } = await forkProcess({ endpoint, planned, hooksFile }, client.signal);
    if (error !== undefined) throw new Error(error);
    return verdicts.map((verdict) => ({ ...verdict, exchange: exchanges.get(verdict.id) }));
  } finally {
    close();
  }
}

function forkProcess(job: DreddJob, signal: AbortSignal): Promise<DreddReport> {
  const file = fileURLToPath(new URL(import.meta.url.replace(/[^/]*(\.[tj]s)$/, 'dredd-process$1')));
  const child = fork(file, [], {
    // Its old dependencies use what Node warns of.
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // JSON has no bytes and no int64.
    serialization: 'advanced',
    // Its old dependencies need no secret of the job.
    env: {},
    signal,
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    const all = `${stderr}${chunk}`;
    // Not in the middle of a key, which nobody could tell to be one.
    stderr = all.length > LONGEST_STDERR ? all.slice(-LONGEST_STDERR).replace(/^\S+/, '') : all;
  });
  return new Promise((resolve, reject) => {
    child.once('message', (report) => resolve(report as DreddReport));
    child.once('error', (error) => reject(signal.aborted ? signal.reason : error));
    child.once('exit', (code, by) =>
      reject(new Error(`Dredd ended with ${by ?? code} and no report: ${stderr}`)),
    );
    child.send(job);
  });
}
