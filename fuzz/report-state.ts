// Loaded into a server: reports what it holds whenever its parent asks.
import { readdirSync } from 'node:fs';
import { ClientRequest, ServerResponse } from 'node:http';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

process.on('message', (isIdle) => {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const count = (one: typeof ServerResponse | typeof ClientRequest) => queryObjects(one, { format: 'count' });
  // Counting takes most of a second.
  const exchanges = isIdle ? Math.max(count(ServerResponse), count(ClientRequest)) : 0;
  const descriptors = readdirSync('/proc/self/fd').length;
  process.send?.({ heap: heapUsed + arrayBuffers, descriptors, exchanges });
});
// Nobody else would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
