import { loadContract } from '../../common/json/contract.ts';
import { Failed, NotApplicable } from '../client/result.ts';
import { isRefusedAsFull } from '../model/additions.ts';
import type { Clause } from '../model/clause.ts';
import { Context } from '../model/context.ts';
import { createFullStore } from '../model/expectations.ts';
import { runDredd } from './run-dredd.ts';

export const replayClauses: readonly Clause[] = loadContract().operations.flatMap(
  ({ operationId, responses }) =>
    Object.keys(responses).map((status) => ({
      id: `replay/${operationId}-${status}`,
      heading: 'openapi.yaml',
      level: 'required',
      isParallel: true,
      // The ids of listPets begin with list-pets/.
      explainedBy: [`${operationId.replace('Pet', '-pet')}/`, 'errors/', 'service/'],
      sentence: `Response ${status} of ${operationId} matches openapi.yaml.`,
      run: (context) => expectReplayed(`${operationId} ${status}`, context),
    })),
);

async function replay(context: Context) {
  // This fails if the deployment answers no more.
  await context.get('/pets');
  // The exchanges belong to all clauses of the replay.
  return runDredd(new Context(context.run, context.rank));
}

async function expectReplayed(id: string, context: Context): Promise<void> {
  const transactions = await context.once(replay);
  const find = (wanted: string) => transactions.find((transaction) => transaction.id === wanted);
  const creation = find('createPet 201')?.exchange;
  const isCreation = id === 'createPet 201' || id === 'createPet 400';
  if (isCreation && creation !== undefined && isRefusedAsFull(creation, context.target))
    throw createFullStore(creation);
  const { skipped, exchange, result } = find(id) ?? {};
  if (skipped !== undefined) throw skipped;
  if (result === undefined) throw new Error(`Dredd made no transaction for ${id}.`);
  const { verdict, message } = result;
  if (exchange !== undefined) context.compare(exchange);
  if (verdict === 'passed') return;
  if (verdict === 'error' && !/ECONN|EPIPE|ETIMEDOUT|ESOCKETTIMEDOUT|socket hang up/.test(message))
    throw new Error(`Dredd could not validate ${id}: ${message}`);
  const { status } = exchange?.response ?? {};
  // A deployment may refuse names and categories; another clause checks that any animal can be added.
  if (id === 'createPet 201' && status !== undefined && status >= 400 && status < 500 && status !== 401)
    throw new NotApplicable(`POST /pets refused the animal with ${status}, perhaps for its name or category`);
  const [, wanted = ''] = id.split(' ');
  const actual = String(status ?? wanted) === wanted ? message.replaceAll('\n', '; ') : String(status);
  throw new Failed(`a ${wanted} that matches openapi.yaml`, actual, exchange);
}
