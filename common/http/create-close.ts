import type { Server } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../real-time.ts';

/** Time for open requests to finish while a server closes, in milliseconds. */
export const GRACE = 5_000;

/** Time between two looks for idle connections while a server closes, in milliseconds. */
const SWEEP_INTERVAL = 20;

/** Returns a function that closes a server: it waits `grace` milliseconds for open requests, and then breaks them off. */
export function createClose(server: Server, grace = GRACE) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeServer = async () => {
    // Browsers open connections ahead of need, which Node does not count as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    // A connection becomes idle when the response on it has ended.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL);
    // Node would not close a connection that was handed on, such as that of an upgrade.
    const cut = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), grace);
    await new Promise((resolve) => server.close(resolve));
    clearInterval(sweep);
    clearTimeout(cut);
  };
  let closed: Promise<void> | undefined;
  return () => (closed ??= closeServer());
}

export function originOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  // Only a server of HTTPS has certificates to change.
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
