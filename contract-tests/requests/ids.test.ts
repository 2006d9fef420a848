import { expect, test } from 'vitest';
import { Client } from '../client/client.ts';
import { History } from '../history/history.ts';
import { createExchange } from '../testing/create-exchange.ts';
import { createTarget } from '../testing/run-suite.ts';
import { sendNearIds, sendUnknownIds } from './ids.ts';
import { Sender } from './sender.ts';

/** Requests ids of a deployment that lists animals with some others. @returns what is requested by id */
async function ask(known: readonly bigint[], send: typeof sendUnknownIds): Promise<readonly string[]> {
  const target = createTarget();
  const asked: string[] = [];
  const client = new Client(target, {
    sendRequest: async ({ path }) => {
      asked.push(path.replace('/pets/', ''));
      return { response: { status: 404, headers: {}, body: Buffer.from('{}') }, failure: undefined };
    },
  });
  const history = new History(target, 'contract-test');
  const body = `[${known.map((id) => `{"id":${id},"name":"Rex","categoryId":1}`)}]`;
  history.record(createExchange({ status: 200, body, isAuthorized: true }));
  await send(new Sender(client, history));
  return asked;
}

test.for<[what: string, known: readonly bigint[], near: readonly bigint[]]>([
  ['next to all', [7n], [6n, 8n]],
  ['without a sign, or with one', [7n, -9n], [-7n, -8n]],
  ['with high bits or digits', [7n], [7n + 2n ** 32n, 1_000_000_007n, 10n ** 18n + 7n]],
  ['without the last digit', [5n, 123n], [12n]],
  ['without the last digit, if an animal has the first', [12n, 123n], [1n]],
  ['that a double cannot tell apart', [2n ** 60n], [2n ** 60n - 1n]],
  ['in a gap', [7n, 20n, 21n, 40n], [22n]],
])('ids %s are requested, also after additions', async ([, known, near]) => {
  for (const send of [sendUnknownIds, sendNearIds]) {
    const asked = await ask(known, send);
    expect(near.map(String).filter((id) => !asked.includes(id))).toEqual([]);
    expect(known.map(String).filter((id) => asked.includes(id))).toEqual([]);
    expect(new Set(asked).size).toBe(asked.length);
  }
});
