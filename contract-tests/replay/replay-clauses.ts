import { loadContract } from '../../common/contract.ts';
import { isRefusedAsFull } from '../core/add-animal.ts';
import type { Clause } from '../core/clause.ts';
import type { Context } from '../core/context.ts';
import { createFullStore, Failed, Skipped, TooFewAnimals, Unproven } from '../core/result.ts';
import { NO_ANIMAL, READ_ONLY } from './plan-requests.ts';
import { runDredd } from './run-dredd.ts';
import type { Transaction } from './transaction.ts';

/** The clauses that fail for what Dredd sees too, by what is replayed. */
const byOperation: Readonly<Record<string, readonly string[]>> = {
  listPets: ['list-pets/'],
  createPet: ['create-pet/'],
  getPet: ['get-pet/'],
};

/** Every response that openapi.yaml documents, as Dredd finds it. Source: openapi.yaml */
export const replayClauses: readonly Clause[] = loadContract().operations.flatMap(
  ({ operationId, responses }) =>
    Object.keys(responses).map((status) => ({
      id: `replay/${operationId}-${status}`,
      heading: 'openapi.yaml',
      level: 'required',
      isBeside: true,
      explainedBy: [...(byOperation[operationId] ?? []), 'errors/', 'service/'],
      sentence: `Dredd gets the ${status} of ${operationId} as openapi.yaml documents it.`,
      run: (context) => expectReplayed(`${operationId} ${status}`, context),
    })),
);

async function expectReplayed(id: string, context: Context): Promise<void> {
  const transactions = await context.once(replay);
  const find = (wanted: string) => transactions.find((transaction) => transaction.id === wanted);
  if (id === 'createPet 201' || id === 'createPet 400') {
    const creation = await find('createPet 201')?.exchange?.catch(() => undefined);
    if (creation !== undefined && isRefusedAsFull(creation, context.target)) throw createFullStore(creation);
  }
  await expectPassed(find(id), id, context);
}

/** Has Dredd replay everything at once. */
async function replay(context: Context): Promise<readonly Transaction[]> {
  // Throws Skipped once the deployment answers no more.
  await context.client.send({ path: '/pets' });
  return runDredd(context);
}

async function expectPassed(
  transaction: Transaction | undefined,
  id: string,
  { decide }: Context,
): Promise<void> {
  if (transaction === undefined) throw new Error(`Dredd has made no transaction of ${id}.`);
  const { verdict, message } = transaction;
  decide(1);
  if (message === READ_ONLY) throw new Unproven(message, 'read-only');
  if (verdict === 'skipped') throw new (message === NO_ANIMAL ? TooFewAnimals : Skipped)(message);
  const exchange = await transaction.exchange;
  const { status } = exchange?.response ?? {};
  if (verdict === 'passed') return;
  if (verdict === 'error' && !/ECONN|EPIPE|ETIMEDOUT|ESOCKETTIMEDOUT|socket hang up/.test(message)) {
    throw new Error(`Dredd could not judge ${id}: ${message}`);
  }
  // A deployment may refuse names and categories; whether any animal can be added is another clause's.
  if (id === 'createPet 201' && status !== undefined && status >= 400 && status < 500 && status !== 401) {
    throw new Skipped(`it was refused with ${status}, perhaps for its name or its category`);
  }
  const [, wanted = ''] = id.split(' ');
  const actual = String(status ?? wanted) === wanted ? message.replaceAll('\n', '; ') : String(status);
  throw new Failed(`a ${wanted} as openapi.yaml documents it`, actual, exchange);
}
