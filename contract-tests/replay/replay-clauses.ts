import { loadContract } from '../../common/contract.ts';
import type { Clause } from '../core/clause.ts';
import type { Context } from '../core/context.ts';
import type { Exchange } from '../core/exchange.ts';
import { Failed, Skipped } from '../core/result.ts';
import { TOO_MANY_REQUESTS } from '../core/retry-after.ts';
import { runDredd } from './run-dredd.ts';
import type { Transaction } from './transaction.ts';

/** Dredd replays everything at once, for the first check that asks. */
const replays = new WeakMap<Context, Promise<readonly Transaction[]>>();

/** The responses that openapi.yaml documents, such as "listPets 200". */
const documented = loadContract().operations.flatMap(({ operationId, responses }) =>
  Object.keys(responses).map((status) => [operationId, status] as const),
);

/** Every response that openapi.yaml documents, as Dredd finds it. Source: openapi.yaml */
export const replayClauses: readonly Clause[] = documented.map(
  ([operationId, status]): Clause => ({
    id: `replay/${operationId}-${status}`,
    heading: 'openapi.yaml',
    level: 'required',
    sentence: `Dredd gets the ${status} of ${operationId} as openapi.yaml documents it.`,
    run: async (context) => {
      const name = `${operationId} ${status}`;
      // Throws Skipped where there is nobody to answer any more.
      if (!replays.has(context)) await context.client.send({ path: '/pets' });
      const transactions = await replay(context);
      const find = (wanted: string) => transactions.find((transaction) => transaction.id === wanted);
      const mayAdd = find('createPet 201')?.response?.status !== 403;
      if (name === 'createPet 400' && !mayAdd) throw new Skipped('every animal is refused with 403');
      expectPassed(find(name), name, context.target.baseUrl);
    },
  }),
);

/** What Dredd has exchanged with the deployment, should it have been asked to. */
export async function replayedSoFar(context: Context): Promise<readonly Exchange[]> {
  const transactions = await (replays.get(context) ?? []);
  return transactions.flatMap((transaction) => toExchange(transaction, context.target.baseUrl) ?? []);
}

function replay(context: Context): Promise<readonly Transaction[]> {
  const replayed = replays.get(context) ?? runDredd(context);
  replays.set(context, replayed);
  return replayed;
}

function expectPassed(transaction: Transaction | undefined, name: string, base: string): void {
  if (transaction === undefined) throw new Error(`Dredd has made no transaction of ${name}.`);
  const { verdict, message, response } = transaction;
  if (verdict === 'passed') return;
  if (verdict === 'skipped') throw new Skipped(message);
  if (response?.status === 429) throw new Skipped(TOO_MANY_REQUESTS);
  if (verdict === 'error' && !/ECONN|EPIPE|ETIMEDOUT|ESOCKETTIMEDOUT|socket hang up/.test(message)) {
    throw new Error(`Dredd could not judge ${name}: ${message}`);
  }
  const [, status = ''] = name.split(' ');
  // Whether there is any animal that it adds is another clause's.
  if (name === 'createPet 201' && isOwnRefusal(response)) {
    throw new Skipped(`it was refused with ${response?.status}, perhaps for its name or its category`);
  }
  const isOther = response !== undefined && String(response.status) !== status;
  throw new Failed(
    `a ${status} as openapi.yaml documents it`,
    isOther ? String(response.status) : message.replaceAll('\n', '; '),
    toExchange(transaction, base),
  );
}

/** A deployment may have names and categories that it does not take. */
function isOwnRefusal(response: Transaction['response']): boolean {
  return response !== undefined && response.status >= 400 && response.status < 500 && response.status !== 401;
}

/** Undefined for what was not tried. */
function toExchange(transaction: Transaction, base: string): Exchange | undefined {
  const { verdict, request, response, message } = transaction;
  if (request === undefined || verdict === 'skipped') return undefined;
  return {
    request: { ...request, base, body: request.body === '' ? undefined : request.body },
    response: response && { ...response, body: Buffer.from(response.body ?? '') },
    failure: response === undefined ? message : undefined,
    ms: 0,
  };
}
