import { expect, test } from 'vitest';
import { httpCases } from '../testing/cases/http-cases.ts';
import { expectAnswer } from '../testing/expect-answer.ts';
import { sampleAnimals } from '../testing/sample-animals.ts';
import { send } from '../testing/send.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

test.for(httpCases)('$title', async ({ options, request, answer }) => {
  const { url } = await startTestMock({ data: sampleAnimals, ...options });
  expectAnswer(await send(url, request), request.method, answer);
});

const fetched = httpCases.filter(({ request, answer }) => request.method === 'GET' && answer.status !== 405);

test.for(fetched)(
  'HEAD is answered with the same status and headers: $title',
  async ({ options, request }) => {
    const { url } = await startTestMock({ data: sampleAnimals, ...options });
    const { status, headers } = await send(url, request);
    const { date, ...lasting } = headers;
    const answer = await send(url, { ...request, method: 'HEAD' });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(lasting);
    expect(answer.text ?? '').toBe('');
  },
);

test('the titles of the cases differ', () => {
  const titles = httpCases.map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});
