// Loaded into a server: reports what it holds whenever its parent asks, or only how many descriptors are open.
import { readdirSync } from 'node:fs';
import { OutgoingMessage } from 'node:http';
import { queryObjects } from 'node:v8';

/** What a server holds. */
export interface ServerState {
  readonly descriptors: number;
  /** Requests and responses that are still reachable. */
  readonly exchanges: number;
}

const countDescriptors = () => readdirSync('/proc/self/fd').length;

process.on('message', (question) => {
  if (question === 'descriptors') {
    process.send?.({ descriptors: countDescriptors() });
    return;
  }
  // To count objects, V8 collects garbage first, which takes a part of a second.
  const exchanges = Number(queryObjects(OutgoingMessage));
  const state = { descriptors: countDescriptors(), exchanges };
  process.send?.(state satisfies ServerState);
});
// Nobody else would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
