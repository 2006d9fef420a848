import { expect, test } from 'vitest';
import { httpCases } from '../testing/cases/http-cases.ts';
import { expectAnswer, type HttpCase, send } from '../testing/http-case.ts';
import { createJudge } from '../testing/judge.ts';
import { sampleAnimals } from '../testing/sample-animals.ts';
import { startTestMock } from '../testing/start-test-mock.ts';

const judge = createJudge();

/** Lets a browser app on another origin read the answer. */
const readableAnywhere = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };

/** The operation of openapi.yaml that a request is meant for, if there is one. */
function findOperation({ request: { method, path } }: HttpCase) {
  const isPath = (template: string) =>
    new RegExp(`^/v1${template.replace('{petId}', '[^/?]+')}(?:\\?|$)`).test(path);
  return judge.operations.find((operation) => operation.method === method && isPath(operation.path));
}

test.for(httpCases)('$title, as openapi.yaml allows', async (row) => {
  const { options, request, answer } = row;
  const { url } = await startTestMock({ data: sampleAnimals, ...options });
  const response = await send(url, request);
  expectAnswer(response, request.method, answer);
  expect(response.headers).toMatchObject(readableAnywhere);
  expect(response.headers).not.toHaveProperty('x-powered-by');
  const operation = findOperation(row);
  // The one status that the contract does not have.
  if (operation === undefined || answer.status === 413) return;
  const { content = {} } = operation.responses[answer.status] ?? {};
  expect(Object.keys(content)).toEqual([response.headers['content-type']]);
  for (const { schema } of Object.values(content)) {
    expect(judge.validate(schema, JSON.parse(response.text))).toEqual([]);
  }
});

test('every documented response is among the answers', () => {
  const documented = judge.operations.flatMap(({ operationId, responses }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  );
  const given = httpCases.map((row) => `${findOperation(row)?.operationId} ${row.answer.status}`);
  expect(documented.filter((response) => !given.includes(response))).toEqual([]);
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
