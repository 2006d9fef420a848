import { exchangeOnce } from './exchange.ts';
import { exchanges } from './exchanges.ts';
import type { ServerProcess } from './server-process.ts';

/** The time from the start of the process to the end of its first answer, in milliseconds. */
export async function measureStart(start: () => Promise<ServerProcess>): Promise<number> {
  const begin = performance.now();
  const server = await start();
  await exchangeOnce(server.url, exchanges.list);
  const time = performance.now() - begin;
  await server.stop();
  return time;
}
