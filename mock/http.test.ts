import { expect, test } from 'vitest';
import { httpCases } from './testing/cases/http-cases.ts';
import { expectAnswer } from './testing/expect-answer.ts';
import { sampleAnimals } from './testing/sample-animals.ts';
import { send } from './testing/send.ts';
import { startTestMock } from './testing/start-test-mock.ts';

test.for(httpCases)('$title', async ({ options, request, answer }) => {
  const { url } = await startTestMock({ data: sampleAnimals, ...options });
  expectAnswer(await send(url, request), request.method, answer);
});

test('the titles of the cases differ', () => {
  const titles = httpCases.map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});
