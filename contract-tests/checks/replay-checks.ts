import { catalogue } from '../catalogue.ts';
import type { Check } from '../check.ts';
import type { Context } from '../context.ts';
import { runDredd } from '../dredd/run-dredd.ts';
import type { Transaction } from '../dredd/transaction.ts';
import type { Exchange } from '../exchange.ts';
import { Unfulfilled, Untried } from '../verdict.ts';

/** Dredd replays everything at once, for the first check that asks. */
const replays = new WeakMap<Context, Promise<readonly Transaction[]>>();

/** Every response that openapi.yaml documents, as Dredd finds it. Source: openapi.yaml */
export const replayChecks: readonly Check[] = catalogue
  .filter(({ id }) => id.startsWith('replay/'))
  .map(({ id }) => ({
    clause: id,
    run: async (context) => {
      const replay = replays.get(context) ?? runDredd(context);
      replays.set(context, replay);
      const name = id.slice('replay/'.length).replace('-', ' ');
      const transaction = (await replay).find(({ id: other }) => other === name);
      expectPassed(transaction, name, context.target.baseUrl);
    },
  }));

function expectPassed(transaction: Transaction | undefined, name: string, base: string): void {
  if (transaction === undefined) throw new Error(`Dredd has made no transaction of ${name}.`);
  const { verdict, message } = transaction;
  if (verdict === 'passed') return;
  if (verdict === 'skipped') throw new Untried(message);
  const isConnection = /ECONN|EPIPE|ETIMEDOUT|socket hang up/.test(message);
  if (verdict === 'error' && !isConnection) throw new Error(`Dredd could not judge ${name}: ${message}`);
  throw new Unfulfilled(
    'the documented response',
    message.replaceAll('\n', '; '),
    toExchange(transaction, base),
  );
}

/** Dredd keeps the request; of the response it tells what was wrong. */
function toExchange({ request, message }: Transaction, base: string): Exchange {
  const [method, path = ''] = request.split(' ');
  const sent = {
    method: method === 'POST' ? ('POST' as const) : ('GET' as const),
    base,
    path,
    headers: {},
    body: undefined,
  };
  return { request: sent, response: undefined, failure: `as Dredd tells it: ${message}`, ms: 0 };
}
