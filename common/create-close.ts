import type { Server } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from './real-time.ts';

/** How long open requests may take to finish when a server is closed, in milliseconds. */
export const GRACE = 5_000;

/** How often connections that have become idle are looked for while the server closes, in milliseconds. */
const SWEEP = 20;

/**
 * Returns the function that closes a server: it accepts no more connections, waits for the requests that are open,
 * and cuts off those that take longer than `grace` milliseconds.
 * @param grace @default 5,000
 */
export function createClose(server: Server, grace = GRACE): () => Promise<void> {
  const sockets = trackSockets(server);
  let closed: Promise<void> | undefined;
  const close = () =>
    new Promise<void>((resolve) => {
      // Node counts neither of these as idle at once: a connection on which nothing was ever sent (browsers open
      // them ahead of need), and one that stays open after the answer it was waiting for.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP);
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, grace);
      server.close(() => {
        clearInterval(sweep);
        clearTimeout(cut);
        resolve();
      });
    });
  return () => (closed ??= close());
}

/**
 * Returns the function that closes the connections of a server on which no request is under way, a moment later.
 * @param isDue whether to close them then. @default always
 */
export function createCloseIdle(server: Server, isDue = () => true): () => void {
  const sockets = trackSockets(server);
  return () => {
    const unused = [...sockets].filter(({ bytesRead }) => bytesRead === 0);
    const close = () => {
      if (!isDue()) return;
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
      server.closeIdleConnections();
    };
    // Two turns later what was sent before has been read, and its connection is not idle.
    setImmediate(() => setImmediate(close));
  };
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** The origin at which a server listens, by the name of the host that it was told. */
export function originOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
