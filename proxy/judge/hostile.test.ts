import { expect, test } from 'vitest';
import { contractFile } from '../../common/contract-file.ts';
import { createJudge } from './create-judge.ts';
import { readBody } from './read-body.ts';

test('blanks in a media type take no more than their share of time', async () => {
  const judge = await createJudge(contractFile);
  const headers = {
    authorization: 'Bearer test-key',
    'content-type': `application/json;a=b${' '.repeat(400_000)}x`,
    'content-length': '2',
  };
  const body = Buffer.from('{}');
  const request = { method: 'POST', target: '/v1/pets', path: '/pets', query: '', headers, body };
  const { violations, judgeResponse } = judge(request);
  expect(violations.map(({ code }) => code)).toEqual(['required', 'required']);
  expect(judgeResponse({ status: 201, headers, body }).map(({ code }) => code)).toEqual(
    Array(3).fill('required'),
  );
});

test('of a media type that is too long no part is told', async () => {
  const judge = await createJudge(contractFile);
  const headers = { 'content-type': `application/${'x'.repeat(970)}test-key-that-is-long` };
  const request = { method: 'GET', target: '/v1/pets', path: '/pets', query: '', headers, body: undefined };
  const messages = judge(request)
    .judgeResponse({ status: 200, headers, body: Buffer.from('[]') })
    .map(({ message }) => message);
  expect(messages.join()).toContain('The received media type "application/x-too-long"');
  expect(messages.join()).not.toContain('test');
});

test('a validator gets no more of a text than it needs', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(readBody({ headers, body: Buffer.from('a=1&'.repeat(100_000)) }).judged).toHaveLength(1_000);
});
