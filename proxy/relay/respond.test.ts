import { expect, test } from 'vitest';
import { talk } from '../../tools/testing/exchange-raw.ts';
import { printRequest, startProxyBefore } from '../testing/start-test-proxy.ts';
import { answerJson } from '../testing/start-upstream.ts';

const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };

test('of very many violations 1,000 of an answer are kept, and the answer is unchanged', async () => {
  const body = `[{"id":"é","name":1}${',{}'.repeat(7_000)}]`;
  const { url, exchanges } = await startProxyBefore(answerJson(body));
  const answer = await fetch(`${url}/pets?limit=0`, { headers });
  expect(await answer.text()).toBe(body);
  expect(exchanges[0]?.violations.length).toBe(1001);
});

test('a refused request does not block the next ones on its connection', async () => {
  const { url } = await startProxyBefore(answerJson());
  const body = 'x'.repeat(3 * 1024 * 1024);
  const bytes = [
    printRequest('POST /admin/delete', [`Content-Length: ${body.length}`], body),
    printRequest('GET /v1/pets', ['Authorization: Bearer x', 'Connection: close']),
  ];
  const answers = await talk(url, bytes.join(''));
  expect(answers.match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(['404', '200']);
});
