import type { Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';

/** The origin at which a server listens, by the name of the host that it was told. */
export function originOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
