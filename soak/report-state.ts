// Loaded into a server before its own program: tells its parent what it holds, whenever that sends
// whether the server is idle.
import { readdirSync } from 'node:fs';
import { ClientRequest, ServerResponse } from 'node:http';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

process.on('message', (isIdle) => {
  collect();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  // It stops the server for most of a second.
  const count = (one: typeof ServerResponse | typeof ClientRequest) => queryObjects(one, { format: 'count' });
  const exchanges = isIdle ? Math.max(count(ServerResponse), count(ClientRequest)) : undefined;
  const descriptors = readdirSync('/proc/self/fd').length;
  process.send?.({ heap: heapUsed + arrayBuffers, rss, descriptors, exchanges });
});
// Without its parent nobody would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
