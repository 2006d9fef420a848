import { beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../../tools/bench/send-raw.ts';
import { attacks } from '../../tools/testing/attacks.ts';
import { startFileMock } from '../../tools/testing/start-test-mock.ts';
import { startCheckedProxy } from '../index.ts';

const mock = await startFileMock();
let url = '';

beforeAll(async () => {
  const proxy = await startCheckedProxy({ upstream: mock.url, port: 0, log: 'silent' });
  url = proxy.url;
  return proxy.close;
});

test.for(attacks.map(({ title, proxy, bytes }) => [title, proxy, bytes] as const))(
  '%s: the response through the proxy is %s',
  async ([, expected, bytes]) => {
    const { answers, printed, rest } = await sendRaw(url, { bytes, expected });
    expect([printed, rest]).toEqual([expected, '']);
    for (const { status, headers, body } of answers) {
      if (status < 400) continue;
      expect(headers).toMatch(/^Content-Type: application\/json\r$/im);
      expect(JSON.parse(body)).toEqual({ code: expect.any(String), message: expect.any(String), status });
    }
  },
);
