// Loaded into a server: reports what it holds whenever its parent asks.
import { readdirSync } from 'node:fs';
import { ClientRequest, ServerResponse } from 'node:http';
import { queryObjects } from 'node:v8';

/** State of a server after a garbage collection. */
export interface ServerState {
  /** In bytes, including buffers. */
  readonly heap: number;
  readonly descriptors: number;
  /** Requests and responses that are still reachable. */
  readonly exchanges: number;
}

process.on('message', () => {
  // To count objects, V8 collects garbage first.
  const exchanges = Number(queryObjects(ServerResponse)) + Number(queryObjects(ClientRequest));
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const descriptors = readdirSync('/proc/self/fd').length;
  process.send?.({ heap: heapUsed + arrayBuffers, descriptors, exchanges } satisfies ServerState);
});
// Nobody else would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
