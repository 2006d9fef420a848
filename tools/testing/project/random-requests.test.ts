import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { startCheckedProxy } from '../../../proxy/index.ts';
import { printGet } from '../../bench/print-request.ts';
import { type Outcome, sendRaw } from '../../bench/send-raw.ts';
import { attacks, hostileValues, templates, validRequests } from '../attacks.ts';
import { startFileMock } from '../start-test-mock.ts';

/** Number of random requests that each server gets. */
const COUNT = 500;

/** Number of connections that may stay open: the proxy keeps a few to the mock. */
const SPARE_SOCKETS = 20;

/** Random bytes, each as a character. */
const bytes = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array).toString('latin1'));

const pieces = ['a', '9', '%', '/', '%2f', '[', '{"a":', '\xc3', '&limit=1', 'gzip,', 'a\r\nb: ', '\r\n'];
const value = fc.oneof(
  bytes(1, 300),
  fc.constantFrom(...hostileValues),
  fc.tuple(fc.constantFrom(...pieces), fc.nat(20_000)).map(([piece, times]) => piece.repeat(times)),
);
const any = fc.constantFrom(...attacks.map((attack) => attack.bytes), ...validRequests);

/** At some place bytes are repeated, added and lost. */
const changed = fc
  .tuple(any, fc.nat(), fc.nat(20), bytes(0, 4), fc.nat(300))
  .map(([text, place, copied, added, lost]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + text.slice(at, at + copied) + added + text.slice(at + lost);
  });

const request = fc.oneof(
  fc.tuple(fc.constantFrom(...Object.values(templates)), value).map(([print, text]) => print(text)),
  changed,
  fc.array(any, { minLength: 2, maxLength: 10 }).map((several) => several.join('')),
  bytes(1, 400),
);

/** A client leaves in the middle, or waits for a while: nobody knows where a random request ends. */
const trial = fc.record({
  bytes: request,
  ending: fc.constantFrom('end' as const, 'destroy' as const, 'resetAndDestroy' as const, 'wait' as const),
  lifetime: fc.constant(200),
});

/** Whatever was sent, what comes back is HTTP, and each error is an Error without a fault of the server. */
function expectAnswers({ answers, rest, isCut }: Outcome, sent: string): void {
  expect((isCut ? 'HTTP/1.1' : '').startsWith(rest.slice(0, 8)), `not HTTP: ${rest}`).toBe(true);
  for (const { status, headers, body } of answers) {
    const isCoded = status === 501 && sent.includes('gzip, chunked');
    expect(status < 500 || isCoded, `${status} ${body}`).toBe(true);
    if (status < 400 || (body === '' && sent.includes('HEAD '))) continue;
    expect(headers).toMatch(/^content-type: application\/json\r/im);
    const error = JSON.parse(Buffer.from(body, 'latin1').toString());
    expect(error).toEqual({ code: expect.any(String), message: expect.any(String), status });
  }
}

const mock = await startFileMock();
const urls: { mock: string; proxy: string } = { mock: mock.url, proxy: '' };

beforeAll(async () => {
  const proxy = await startCheckedProxy({ upstream: mock.url, port: 0, log: 'silent' });
  urls.proxy = proxy.url;
  return proxy.close;
});

const countSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test.for(['mock', 'proxy'] as const)(
  'random requests do the %s no harm, and leave no connection open',
  { timeout: 300_000 },
  async (name) => {
    const before = countSockets();
    const property = fc.asyncProperty(trial, async (sent) => {
      expectAnswers(await sendRaw(urls[name], sent), sent.bytes);
      const { printed } = await sendRaw(urls[name], { bytes: printGet('/v1/pets/1') });
      expect(printed).toBe('200');
    });
    await fc.assert(property, { numRuns: COUNT });
    await expect.poll(countSockets).toBeLessThanOrEqual(before + SPARE_SOCKETS);
  },
);
