import { type ExactJson, isJsonObject } from '../../common/json/exact-json.ts';
import { Failed, NotApplicable } from '../client/clause-errors.ts';
import type { RequestOptions } from '../client/client.ts';
import { type Exchange, isAscii } from '../client/exchange.ts';
import { findShape } from '../client/find-shape.ts';
import { toJsonText } from '../client/show-value.ts';
import { createWrongKeys } from '../client/wrong-keys.ts';
import type { BodyProblem } from '../failures/failure.ts';
import { underHeading } from '../vocabulary/clause.ts';
import type { Context } from '../vocabulary/context.ts';
import { expectAnswer, expectStatus, expectUnauthorized } from '../vocabulary/expectations.ts';

const MESSAGE = '{"message":"contract-test"}';

export const quickstartClauses = underHeading('Introductory quickstart request', {
  phase: 'single requests',
  needs: ['writes'],
})([
  {
    id: 'quickstart/success',
    sentence:
      'POST /messages returns a 2xx with strings id, message and status and an ISO 8601 time createdAt.',
    quote:
      'JSON object with fields id (string), message (string), status (string; the quickstart shows the value queued), createdAt (string, ISO 8601 timestamp).',
    run: async (context) => {
      const exchange = await postMessage(context, { body: MESSAGE });
      expectAnswer(context, exchange, '2xx', exchange.isSuccess);
      const problem = findMessageProblem(exchange.json);
      if (problem !== undefined) throw new Failed({ kind: 'body', expected: 'message', problem }, exchange);
    },
  },
  {
    id: 'quickstart/missing-key',
    sentence: 'POST /messages without the valid key as a bearer token returns 401.',
    quote:
      'A 401 means the key is missing or invalid, or the Authorization header does not use the Bearer form.',
    run: async (context) => {
      const { apiKey } = context.target;
      for (const authorization of [
        undefined,
        'Bearer contract-test-invalid-key',
        ...createWrongKeys(apiKey).map(({ key }) => `Bearer ${key}`),
        ...[apiKey, `Basic ${apiKey}`, `Token ${apiKey}`],
      ]) {
        const exchange = await postMessage(context, { body: MESSAGE, authorization });
        if (exchange.status !== 400 || isAscii(authorization)) expectUnauthorized(context, exchange);
      }
    },
  },
  {
    id: 'quickstart/invalid',
    sentence:
      'POST /messages returns 400 for malformed JSON, for no message and for another media type or none.',
    quote:
      'A 400 means the JSON is invalid, the message field is absent, or Content-Type is not application/json.',
    run: async (context) => {
      const requests = [
        ...['{', '{}', '[]', 'null', '{"message":1}'].map((body) => ({ body })),
        ...['text/plain', undefined].map((mediaType) => ({ body: MESSAGE, mediaType })),
      ];
      for (const request of requests) expectStatus(context, await postMessage(context, request), 400);
    },
  },
]);

async function postMessage(context: Context, options: Omit<RequestOptions, 'path'>): Promise<Exchange> {
  const base = context.target.quickstart;
  if (base === undefined) throw new NotApplicable('no origin was given with --quickstart');
  return context.send({ method: 'POST', base, path: '/messages', ...options });
}

function findMessageProblem(value: ExactJson | undefined): BodyProblem | undefined {
  if (value === undefined) return { is: 'no JSON' };
  if (!isJsonObject(value)) return { is: 'another type', shape: findShape(value) };
  const breaks = (member: string, rule: string): BodyProblem => {
    const wrong = { member, pointer: `/${member}`, rule, value: toJsonText(value[member]) };
    return { is: 'invalid', schema: 'message', ...wrong };
  };
  const other = ['id', 'message', 'status', 'createdAt'].find((field) => typeof value[field] !== 'string');
  if (other !== undefined) return breaks(other, 'must be string');
  return isTimestamp(String(value.createdAt)) ? undefined : breaks('createdAt', 'must be an ISO 8601 time');
}

function isTimestamp(text: string): boolean {
  const time = /T\d{2}(?::?\d{2}(?::?\d{2})?)?(?:[.,]\d+)?(?:Z|[+-]\d{2}(?::?\d{2})?)?$/;
  const [, year = '', month = '', day = ''] = /^(\d{4})-?(\d{2})-?(\d{2})T/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDate = date.getUTCDate() === Number(day) && date.getUTCMonth() === Number(month) - 1;
  return time.test(text) && year !== '' && isDate;
}
