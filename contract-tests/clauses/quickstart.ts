import { type ExactJson, isJsonObject } from '../../common/exact-json.ts';
import { defineClauses } from '../core/clause.ts';
import type { RequestOptions } from '../core/client.ts';
import type { Context } from '../core/context.ts';
import { type Exchange, isAscii, isSuccess, outcomeOf, readJson } from '../core/exchange.ts';
import { expectStatus, expectUnauthorized, Failed, Skipped } from '../core/result.ts';
import { createWrongKeys } from '../core/wrong-keys.ts';

const MESSAGE = '{"message":"contract-test"}';

/** The one request of the quickstart, which is sent to an origin of its own. */
export const quickstartClauses = defineClauses('Introductory quickstart request', ['writes'], {
  'quickstart/success': {
    sentence:
      'POST /messages returns a 2xx with strings id, message and status and an ISO 8601 time createdAt.',
    run: async (context) => {
      const exchange = await postMessage(context, { body: MESSAGE });
      if (!isSuccess(exchange)) throw new Failed('a 2xx', outcomeOf(exchange), exchange);
      const fault = findMessageFault(readJson(exchange));
      if (fault !== undefined) throw new Failed('a message as in the quickstart', fault, exchange);
    },
  },
  'quickstart/missing-key': {
    sentence: 'POST /messages without the valid key as a bearer token returns 401.',
    run: async (context) => {
      const { apiKey } = context.target;
      for (const authorization of [
        undefined,
        'Bearer contract-test-invalid-key',
        ...createWrongKeys(apiKey).map(({ key }) => `Bearer ${key}`),
        ...[apiKey, `Basic ${apiKey}`, `Token ${apiKey}`],
      ]) {
        const exchange = await postMessage(context, { body: MESSAGE, authorization });
        if (exchange.response?.status !== 400 || isAscii(authorization)) expectUnauthorized(exchange);
      }
    },
  },
  'quickstart/invalid': {
    sentence:
      'POST /messages returns 400 for malformed JSON, for no message and for another media type or none.',
    run: async (context) => {
      for (const body of ['{', '{}', '[]', 'null', '{"message":1}']) {
        expectStatus(await postMessage(context, { body }), 400);
      }
      for (const mediaType of ['text/plain', undefined]) {
        expectStatus(await postMessage(context, { body: MESSAGE, mediaType }), 400);
      }
    },
  },
});

async function postMessage(
  { client, target }: Context,
  options: Omit<RequestOptions, 'path'>,
): Promise<Exchange> {
  if (target.quickstart === undefined) throw new Skipped('no origin was given (--quickstart)');
  return client.send({ method: 'POST', base: target.quickstart, path: '/messages', ...options });
}

function findMessageFault(value: ExactJson | undefined): string | undefined {
  if (value === undefined || !isJsonObject(value)) return 'no JSON object';
  const other = ['id', 'message', 'status', 'createdAt'].find((field) => typeof value[field] !== 'string');
  if (other !== undefined) return `no string ${other}`;
  return isTimestamp(String(value.createdAt)) ? undefined : 'a createdAt that is not an ISO 8601 time';
}

/** Whether a text is a date and a time of ISO 8601, in the extended or the basic format. */
function isTimestamp(text: string): boolean {
  const time = /T\d{2}(?::?\d{2}(?::?\d{2})?)?(?:[.,]\d+)?(?:Z|[+-]\d{2}(?::?\d{2})?)?$/;
  const [, year = '', month = '', day = ''] = /^(\d{4})-?(\d{2})-?(\d{2})T/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDate = date.getUTCDate() === Number(day) && date.getUTCMonth() === Number(month) - 1;
  return time.test(text) && year !== '' && isDate;
}
