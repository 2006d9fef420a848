import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { loadContract } from '../../common/json/contract.ts';
import { isInt64 } from '../../common/json/int64.ts';
import { NotApplicable, NotTested, Skipped, TooFewAnimals } from '../client/clause-errors.ts';
import { Context, isRemoved } from '../vocabulary/context.ts';
import { needsWrites } from '../vocabulary/expectations.ts';
import { listTransactions, listWriting, type TransactionValues } from './create-hooks.ts';
import { installDredd } from './install-dredd.ts';
import { type Relayed, startDreddEndpoint } from './start-dredd-endpoint.ts';
import { toClauseId } from './to-clause-id.ts';

/** What the process of Dredd gets. */
export interface DreddJob {
  readonly endpoint: string;
  readonly values: TransactionValues;
  readonly hooksFile: string;
}

export type DreddField = 'statusCode' | 'headers' | 'body';

/** An error that Dredd found in a response. */
export interface DreddError {
  readonly field: DreddField;
  /** A sentence for people. */
  readonly message: string;
  /** Where the error is: the names and indexes from the root of the body, or the name of a header. */
  readonly location?: { readonly property?: readonly string[] } | undefined;
}

/** What Dredd says about a transaction. */
export interface DreddResult {
  /** The operation and its documented status, such as `listPets 200`. */
  readonly id: string;
  readonly isValid: boolean;
  readonly errors: readonly DreddError[];
  /** Why Dredd could not validate the response. */
  readonly fault?: string;
}

/** A transaction that was sent, or the reason why it was not. */
export type Transaction = { readonly skipped: Skipped } | (Relayed & { readonly result: DreddResult });

const LONGEST_STDERR = 2_000;

const resolve = createRequire(import.meta.url).resolve;

/**
 * Lets Dredd send its transactions to the deployment, one after the other, and validate the responses.
 *
 * @param asker the first clause that asks. The exchanges belong to all clauses of Dredd
 * @returns the transactions by their ids, each as soon as it has ended. A transaction rejects with the error of the client that
 * ended the run, or with an Error when Dredd did not do its work, which is a fault of the suite
 */
export async function runDredd(
  asker: Context,
  hooksFile = resolve('animal-store-contract-tests/dredd-hooks.cjs'),
): Promise<ReadonlyMap<string, Promise<Transaction>>> {
  const context = new Context(asker.run, asker.rank);
  const { skipped, missing, ...values } = await planRun(context);
  context.signal.throwIfAborted();
  const pending = new Map(listTransactions(loadContract()).map((id) => [id, createPending()]));
  for (const [id, reason] of skipped) pending.get(id)?.resolve({ skipped: reason });
  const transactions = new Map([...pending].map(([id, { promise }]) => [id, promise]));
  if (skipped.size === transactions.size) return transactions;
  const failure = new AbortController();
  const endpoint = await startDreddEndpoint(context, (error) => failure.abort(error));
  const failOthers = (error: Error) => {
    for (const { reject } of pending.values()) reject(error);
  };
  const { apiKey } = endpoint;
  const job = {
    endpoint: endpoint.url,
    values: { ...values, apiKey, skipped: [...skipped.keys()] },
    hooksFile,
  };
  const signal = AbortSignal.any([context.signal, failure.signal]);
  const end = () => {
    if (missing) pending.get(BY_ID)?.resolve({ skipped: missing });
    failOthers(new Error('Dredd made no such transaction.'));
  };
  installDredd()
    .then(() =>
      forkProcess(job, signal, (result) =>
        pending.get(result.id)?.resolve(toTransaction(result, endpoint.relayed)),
      ),
    )
    .then(end, failOthers)
    .finally(endpoint.close);
  return transactions;
}

function createPending(): PromiseWithResolvers<Transaction> {
  const pending = Promise.withResolvers<Transaction>();
  // No clause may be waiting for it.
  pending.promise.catch(() => {});
  return pending;
}

/** The transaction that requests an animal by its id, and the one that adds an animal before. */
const BY_ID = 'getPet 200';
const ADDITION = 'createPet 201';

/** Finds what the transactions need, and the reasons why some of them are not sent. */
async function planRun(context: Context) {
  const { allowsWrites } = context.target;
  const transactions = listTransactions(loadContract());
  const skipped = new Map<string, Skipped>();
  if (await isRemoved(context)) {
    const removed = new NotApplicable('GET /pets/{petId} has been removed, as announced');
    for (const id of transactions.filter((one) => one.startsWith('getPet '))) skipped.set(id, removed);
  }
  if (!allowsWrites) for (const one of listWriting(loadContract())) skipped.set(one, needsWrites());
  for (const one of transactions)
    if (!context.run.isTested(toClauseId(one)))
      skipped.set(one, new NotTested('its clause was not selected'));
  const id = await findExistingId(context);
  const missing = id instanceof Skipped ? id : undefined;
  if (missing && skipped.has(ADDITION) && !skipped.has(BY_ID)) skipped.set(BY_ID, missing);
  return {
    name: context.nameFor('Dredd'),
    categoryId: String(await context.findCategory()),
    id: missing ? undefined : String(id),
    skipped,
    /** Why there is no id, unless Dredd adds an animal. */
    missing,
  };
}

/** Finds the id of a listed animal, or of one that this run added. @returns the reason if there is none */
async function findExistingId(context: Context): Promise<bigint | Skipped> {
  const added = context.additions.findLast(({ id }) => id !== undefined)?.id;
  try {
    const [animal] = await context.listSome();
    const id = animal?.id;
    if (typeof id === 'bigint' && isInt64(id)) return id;
    if (added !== undefined) return added;
    if (animal === undefined) return new TooFewAnimals('the list has no animals');
    return new NotApplicable('no listed animal has an int64 as its id');
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    return added ?? error;
  }
}

function toTransaction(result: DreddResult, relayed: ReadonlyMap<string, Relayed>): Transaction {
  const one = relayed.get(result.id) ?? { hasAnswered: false };
  return one.skipped === undefined ? { ...one, result } : { skipped: one.skipped };
}

/** Runs the process of Dredd to its end. @param onResult called with each result as soon as it is there */
function forkProcess(
  job: DreddJob,
  signal: AbortSignal,
  onResult: (result: DreddResult) => void,
): Promise<void> {
  const file = join(import.meta.dirname, `dredd-process${extname(import.meta.filename)}`);
  const child = fork(file, [], {
    // Node warns of the old dependencies.
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // The old dependencies need no secret of the job, but a home, which a user of a container may not have.
    env: { HOME: tmpdir() },
    signal,
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    const all = `${stderr}${chunk}`;
    // Without the rest of a word that is cut, which may be a key.
    stderr = all.length > LONGEST_STDERR ? all.slice(-LONGEST_STDERR).replace(/^\S+/, '') : all;
  });
  child.on('message', (result) => onResult(result as DreddResult));
  return new Promise((resolveEnd, reject) => {
    child.once('error', (error) => reject(signal.aborted ? signal.reason : error));
    // After its last message, unlike `exit`.
    child.once('close', (code, by) => {
      if (code === 0) resolveEnd();
      else reject(new Error(`Dredd ended with ${by ?? code}: ${stderr}`));
    });
    child.send(job);
  });
}
