import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClose, originOf } from './create-close.ts';
import { createServer } from './create-server.ts';

const certificates = join(import.meta.dirname, '../../tools/testing/certificates');

test('a client that refuses the certificate does not keep the server open', async () => {
  const [cert, key] = ['localhost.pem', 'localhost-key.pem'].map((name) =>
    readFileSync(join(certificates, name), 'utf8'),
  ) as [string, string];
  const server = createServer(() => {}, { cert, key });
  // So long an open request would keep it open.
  const close = createClose(server, 600_000);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await expect(fetch(originOf(server, '127.0.0.1'))).rejects.toThrow('fetch failed');
  await close();
});
