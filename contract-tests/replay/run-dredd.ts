import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadContract, type Schema } from '../../common/contract.ts';
import { contractFile } from '../../common/contract-file.ts';
import { findCategory } from '../core/add-animal.ts';
import type { Context } from '../core/context.ts';
import { isRemoved } from '../core/get-pet-removal.ts';
import { listAnimals } from '../core/list-animals.ts';
import { LONGEST_WAIT, readRetryAfter } from '../core/retry-after.ts';
import type { DreddJob, DreddReport, Transaction } from './transaction.ts';

/** How long Dredd may take beside the time for its requests, in milliseconds. */
const LONGEST_START = 60_000;

/** More requests than Dredd makes. */
const MOST_REQUESTS = 12;

/** How much of what Dredd says on stderr is kept, in characters. */
const LONGEST_TALE = 2_000;

/**
 * Has Dredd replay openapi.yaml: one request for each response that it documents.
 *
 * @param hooks the path of the file of hooks.
 * @throws Error when Dredd did not do its work, which is a fault of the suite.
 */
export async function runDredd(
  context: Context,
  hooks: string = fileURLToPath(new URL('./hooks.cjs', import.meta.url)),
): Promise<readonly Transaction[]> {
  return runJob(await createJob(context, hooks), context, context.target.retries);
}

/** Has it done again for what was answered 429, after the time that was asked for. */
async function runJob(job: DreddJob, context: Context, left: number): Promise<readonly Transaction[]> {
  const { hasHooks, transactions, error } = await runProcess(job, context);
  if (error !== undefined) throw new Error(`Dredd failed: ${error}`);
  if (!hasHooks) throw new Error('Dredd did not load its hooks.');
  const tried = transactions.filter(({ id }) => !job.done.includes(id));
  const [refused, done] = [tried.filter(isRefused), tried.filter((transaction) => !isRefused(transaction))];
  const wait = Math.max(...refused.map(({ response }) => (response ? readRetryAfter(response) : 0)));
  if (refused.length === 0 || left === 0 || wait > LONGEST_WAIT) return tried;
  await delay(wait);
  const others = { ...job, done: [...job.done, ...done.map(({ id }) => id)] };
  return [...done, ...(await runJob(others, context, left - 1))];
}

function isRefused({ response }: Transaction): boolean {
  return response?.status === 429;
}

async function createJob(context: Context, hooks: string): Promise<DreddJob> {
  const { baseUrl, apiKey, allowsWrites, headers, timeout, maxRate } = context.target;
  const [animal] = await listAnimals(context, '?limit=1').catch(() => []);
  return {
    baseUrl,
    apiKey,
    allowsWrites,
    headers,
    name: context.nameFor('replayed'),
    isRemoved: await isRemoved(context),
    categoryId: String(await findCategory(context)),
    knownId: typeof animal?.id === 'bigint' ? String(animal.id) : undefined,
    contract: readFileSync(contractFile, 'utf8'),
    schemas: createSchemas(),
    timeout,
    interval: 1000 / maxRate,
    done: [],
    hooks,
  };
}

/** JSON Schemas of the documented responses, each with all that it refers to. */
function createSchemas(): Record<string, object> {
  const { operations, schemas } = loadContract();
  const toSchema = (schema: Schema) =>
    withoutFormats({
      $schema: 'http://json-schema.org/draft-07/schema#',
      components: { schemas },
      allOf: [schema],
    });
  return Object.fromEntries(
    operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).map(([status, { content }]) => [
        `${operationId} ${status}`,
        toSchema(content['application/json']?.schema ?? {}),
      ]),
    ),
  );
}

/** Dredd's validator knows the formats of JSON Schema alone. */
function withoutFormats(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'format' ? undefined : value)));
}

async function runProcess(job: DreddJob, { target: { insecure, ca } }: Context): Promise<DreddReport> {
  if (ca === undefined) return forkProcess(job, insecure ? { NODE_TLS_REJECT_UNAUTHORIZED: '0' } : {});
  // Dredd cannot be told of certificates; Node can, by a file.
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
  const child = fork(file, [], {
    // Its old dependencies use what Node warns of.
    execArgv: ['--no-warnings'],
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: LONGEST_START + MOST_REQUESTS * (job.timeout + job.interval),
  });
  let told = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    told = `${told}${chunk}`.slice(-LONGEST_TALE);
  });
  return new Promise((resolve, reject) => {
    child.once('message', (report) => resolve(report as DreddReport));
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`Dredd ended with ${signal ?? code} and no report: ${told}`)),
    );
    child.send(job);
  });
}
