import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/** Hosts that are every address of this machine, as a URL has them. */
const everyIPv4 = '0.0.0.0';
const everyAddress = '[::]';

/** Returns whether a server of this URL listens on every address. */
export function isOnEveryAddress(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === everyIPv4 || hostname === everyAddress;
}

/** Returns a URL that works on this machine. Not every system connects to `0.0.0.0` or `::`. */
export function toLocalUrl(url: string): string {
  const { hostname } = new URL(url);
  if (hostname === everyIPv4) return replaceHost(url, '127.0.0.1');
  // Its name has an IPv6 and often an IPv4 address, and no brackets that a shell would read as a pattern.
  return hostname === everyAddress ? replaceHost(url, 'localhost') : url;
}

/** Returns the URLs that other machines in the network of this machine may use, for a server that listens on every address. */
export function listNetworkUrls(url: string, interfaces: Interfaces = networkInterfaces()): string[] {
  const addresses = Object.values(interfaces).flatMap((infos = []) => infos);
  // Who has an IPv6 address in a network nearly always has one of these too.
  return addresses
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => replaceHost(url, address));
}

function replaceHost(url: string, hostname: string): string {
  return url.replace(/^(https?:\/\/)(?:\[[^\]]*\]|[^:/]*)/, `$1${hostname}`);
}
