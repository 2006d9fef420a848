import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LONGEST_WAIT, readRetryAfter } from '../core/client.ts';
import type { Context } from '../core/context.ts';
import { planRequests } from './plan-requests.ts';
import type { DreddJob, DreddReport, Transaction } from './transaction.ts';

/** How long Dredd may take beside the time for its requests, in milliseconds. */
const LONGEST_START = 60_000;

/** More requests than Dredd makes. */
const MOST_REQUESTS = 12;

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
  const { target } = context;
  return runJob({ target, planned: await planRequests(context), hooksFile }, target.retries);
}

/** Repeats what was answered 429, after the time that the deployment asked for. */
async function runJob(job: DreddJob, left: number): Promise<readonly Transaction[]> {
  const { transactions, error } = await runProcess(job);
  if (error !== undefined) throw new Error(error);
  const refused = new Map<string, number>();
  for (const { id, exchange } of transactions) {
    if (exchange?.response?.status === 429) refused.set(id, readRetryAfter(exchange.response));
  }
  const wait = Math.max(...refused.values());
  if (refused.size === 0 || left === 0 || wait > LONGEST_WAIT) return transactions;
  await delay(wait);
  const planned = job.planned.filter(({ id }) => refused.has(id));
  const done = transactions.filter(({ id }) => !refused.has(id));
  return [...done, ...(await runJob({ ...job, planned }, left - 1))];
}

async function runProcess(job: DreddJob): Promise<DreddReport> {
  const { insecure, ca } = job.target;
  if (ca === undefined) return forkProcess(job, insecure ? { NODE_TLS_REJECT_UNAUTHORIZED: '0' } : {});
  // Dredd has no option for certificates; Node reads them from a file.
  const folder = await mkdtemp(join(tmpdir(), 'contract-tests-'));
  try {
    const certificates = join(folder, 'ca.pem');
    await writeFile(certificates, ca);
    return await forkProcess(job, { NODE_EXTRA_CA_CERTS: certificates });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function forkProcess(job: DreddJob, environment: Readonly<Record<string, string>>): Promise<DreddReport> {
  const file = fileURLToPath(new URL(import.meta.url.replace(/[^/]*(\.[tj]s)$/, 'dredd-process$1')));
  const { timeout, maxRate } = job.target;
  const child = fork(file, [], {
    // Its old dependencies use what Node warns of.
    execArgv: ['--no-warnings'],
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // JSON has no bytes and no int64.
    serialization: 'advanced',
    timeout: LONGEST_START + MOST_REQUESTS * (timeout + 1000 / maxRate),
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    const all = `${stderr}${chunk}`;
    // Not in the middle of a key, which nobody could tell to be one.
    stderr = all.length > LONGEST_STDERR ? all.slice(-LONGEST_STDERR).replace(/^\S+/, '') : all;
  });
  return new Promise((resolve, reject) => {
    child.once('message', (report) => resolve(report as DreddReport));
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`Dredd ended with ${signal ?? code} and no report: ${stderr}`)),
    );
    child.send(job);
  });
}
