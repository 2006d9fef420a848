import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as sendRequest } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startMock } from '../mock/index.ts';
import { runCli } from './testing/run-cli.ts';

/** Each run of the command loads Vitest. */
vi.setConfig({ testTimeout: 30_000 });

const certificates = join(import.meta.dirname, '../common/testing/certificates');

test.for([['--ca', join(certificates, 'ca.pem')], ['--insecure']])('https with %j', async (options) => {
  const mock = await startMock({ port: 0, log: 'silent' });
  onTestFinished(mock.close);
  const pair = {
    cert: readFileSync(join(certificates, 'localhost.pem')),
    key: readFileSync(join(certificates, 'localhost-key.pem')),
  };
  const server = createServer(pair, (request, response) => {
    const { method, url: path, headers } = request;
    const onward = sendRequest(new URL(mock.url).origin, { method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}/v1`;
  const { exitCode, stdout } = await runCli([url, ...options]);
  expect([exitCode, stdout.match(/ \d+ failed, 0 skipped/g) ?? stdout]).toEqual([
    0,
    [' 0 failed, 0 skipped'],
  ]);
  expect((await runCli([url])).exitCode).toBe(2);
});
