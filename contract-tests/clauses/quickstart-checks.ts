import { type ExactJson, isJsonObject } from '../../common/exact-json.ts';
import type { Check } from '../core/check.ts';
import type { RequestOptions } from '../core/client.ts';
import type { Context } from '../core/context.ts';
import type { Exchange } from '../core/exchange.ts';
import { outcomeOf, readJson } from '../core/read-exchange.ts';
import { Failed, Skipped } from '../core/result.ts';
import { createWrongKeys } from '../core/wrong-keys.ts';

/** What the quickstart says of its one request. Source: Introductory quickstart request */
export const quickstartChecks: readonly Check[] = [
  {
    clause: 'quickstart/success',
    needs: ['writes'],
    run: async (context) => {
      const exchange = await post(context, { body: '{"message":"contract-test"}' });
      const status = exchange.response?.status ?? 0;
      if (status < 200 || status > 299) throw new Failed('a 2xx', outcomeOf(exchange), exchange);
      const fault = findFault(readJson(exchange));
      if (fault !== undefined) throw new Failed('a message that was queued', fault, exchange);
    },
  },
  {
    clause: 'quickstart/missing-key',
    needs: ['writes'],
    run: async (context) => {
      const { apiKey } = context.target;
      for (const authorization of [
        undefined,
        'Bearer contract-test-invalid-key',
        ...createWrongKeys(apiKey).map(({ key }) => `Bearer ${key}`),
        apiKey,
        `Basic ${apiKey}`,
        `Token ${apiKey}`,
      ]) {
        await expectStatus(context, 401, { body: '{"message":"contract-test"}', authorization });
      }
    },
  },
  {
    clause: 'quickstart/invalid',
    needs: ['writes'],
    run: async (context) => {
      for (const body of ['{', '{}', '[]', 'null', '{"message":1}'])
        await expectStatus(context, 400, { body });
      await expectStatus(context, 400, { body: '{"message":"contract-test"}', mediaType: 'text/plain' });
    },
  },
];

async function post({ client, target }: Context, options: Omit<RequestOptions, 'path'>): Promise<Exchange> {
  if (target.quickstart === undefined) throw new Skipped('no origin was given (--quickstart)');
  return client.send({ method: 'POST', base: target.quickstart, path: '/messages', ...options });
}

async function expectStatus(
  context: Context,
  status: number,
  options: Omit<RequestOptions, 'path'>,
): Promise<void> {
  const exchange = await post(context, options);
  if (exchange.response?.status !== status) throw new Failed(String(status), outcomeOf(exchange), exchange);
}

function findFault(value: ExactJson | undefined): string | undefined {
  if (value === undefined || !isJsonObject(value)) return 'no JSON object';
  const other = ['id', 'message', 'status', 'createdAt'].find((field) => typeof value[field] !== 'string');
  if (other !== undefined) return `no string ${other}`;
  return isTimestamp(String(value.createdAt)) ? undefined : 'a createdAt that is no time';
}

/** Whether it is a day and a time as ISO 8601 has them, in the extended format or in the basic one. */
function isTimestamp(text: string): boolean {
  const time = /T\d{2}(?::?\d{2}(?::?\d{2})?)?(?:[.,]\d+)?(?:Z|[+-]\d{2}(?::?\d{2})?)?$/;
  const [, year = '', month = '', day = ''] = /^(\d{4})-?(\d{2})-?(\d{2})T/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return (
    time.test(text) &&
    year !== '' &&
    date.getUTCDate() === Number(day) &&
    date.getUTCMonth() === Number(month) - 1
  );
}
