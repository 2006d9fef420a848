import type { Server } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from '../real-time.ts';

/** Time for open requests to finish while a server closes, in milliseconds. */
export const GRACE = 5_000;

/** Interval at which idle connections are closed while a server closes, in milliseconds. */
const SWEEP = 20;

/** Returns functions that close a server, or only its idle connections. @param grace @default 5,000 */
export function createClose(server: Server, grace = GRACE) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Browsers open connections ahead of need. Node does not count them as idle.
  const destroyUnused = (open: ReadonlySet<Socket>) => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  const closeServer = async () => {
    destroyUnused(sockets);
    // A connection becomes idle when the response on it has ended.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP);
    const cut = setTimeout(() => server.closeAllConnections(), grace);
    await new Promise((resolve) => server.close(resolve));
    clearInterval(sweep);
    clearTimeout(cut);
  };
  let closed: Promise<void> | undefined;
  return {
    /**
     * Accepts no more connections, waits for open requests, and breaks off the requests that take longer than `grace`
     * milliseconds.
     */
    close: () => (closed ??= closeServer()),
    /**
     * Closes idle connections after two turns of the event loop: requests that were sent before are read by then.
     * @param isDue Returns whether to close them then.
     */
    closeIdle(isDue = () => true): void {
      const open = new Set(sockets);
      const close = () => {
        if (!isDue()) return;
        destroyUnused(open);
        server.closeIdleConnections();
      };
      setImmediate(() => setImmediate(close));
    },
  };
}

/** Returns the origin of a server that listens on `host`. */
export function originOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
