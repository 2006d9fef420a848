import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { startCli, startForTest } from './testing/run-cli.ts';

const runCli = startCli();
const certificates = join(import.meta.dirname, '../testing/certificates');
const read = (name: string) => readFileSync(join(certificates, name));

test.for([['--ca', join(certificates, 'ca.pem')], ['--insecure']])('https with %j', async (options) => {
  const mock = new URL(await startForTest());
  const pair = { cert: read('localhost.pem'), key: read('localhost-key.pem') };
  const server = createServer(pair, (socket) => {
    pipeline(socket, connect(Number(mock.port), '127.0.0.1'), socket, () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `https://localhost:${(server.address() as AddressInfo).port}/v1`;
  const { exitCode, stdout } = await runCli([
    url,
    '--allow-writes',
    '--only',
    'list-pets/success',
    '--only',
    'replay',
    ...options,
  ]);
  expect(stdout).toMatch(/ 0 failed, \d+ not tested, 0 not applicable /);
  expect(exitCode).toBe(0);
  const refused = await runCli([url]);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('its certificate is not trusted');
});
