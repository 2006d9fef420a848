import { expect, test } from 'vitest';
import { httpCases } from '../../mock/testing/cases/http-cases.ts';
import { expectAnswer, send } from '../../mock/testing/http-case.ts';
import { sampleAnimals, startTestMock } from '../../mock/testing/start-test-mock.ts';
import { startTestProxy } from '../testing/start-test-proxy.ts';

test.for(httpCases)('through the proxy: $title', async ({ options, request, answer }) => {
  const mock = await startTestMock({ data: sampleAnimals, ...options });
  const { url, exchanges } = await startTestProxy(mock.url);
  const response = await send(url, request);
  expectAnswer(response, request.method, answer);
  const [exchange] = exchanges;
  // A clamped limit is answered with a list, and breaks the contract all the same.
  const isConforming =
    answer.status < 300 && request.path.startsWith('/v1/') && options?.limitPolicy === undefined;
  if (isConforming) expect(exchange?.violations.filter(({ severity }) => severity === 'error')).toEqual([]);
});
