import { lookup } from 'node:dns/promises';
import { isIPv4, isIPv6 } from 'node:net';

/** Tells whether a request may have this Host header. */
export type HostCheck = (host: string | undefined) => boolean;

/**
 * Creates the check of the Host header that keeps out the pages of other sites: the owner of such a site can make its name
 * lead to this machine, and then its pages may read the answers (DNS rebinding). An address cannot be rebound, so any is
 * allowed. So are `localhost` and names under it, the host's name in Docker, the server's own name and `allowHosts`, of
 * which `.app.test` stands for all names under it too. No browser leaves Host out, so that may be missing.
 */
export function createHostCheck(host: string, allowHosts: readonly string[] = []): HostCheck {
  const names = ['.localhost', 'host.docker.internal', host, ...allowHosts].map(toName);
  // A client sends the same one each time.
  let latest: string | undefined;
  return (value) => {
    if (!value || value === latest) return true;
    const name = /[/?#@\\\s]/.test(value) ? '' : toName(value);
    const isAllowed = isAddress(name) || (name !== '' && names.some((one) => isBeneath(name, one)));
    if (isAllowed) latest = value;
    return isAllowed;
  };
}

/** Whether only this machine reaches a server on this host. @throws Node's own error when it has no address. */
export async function isLoopbackHost(host: string): Promise<boolean> {
  const { address } = await lookup(host);
  return isLoopback(toName(address));
}

/** Says why a request was refused for its Host header. */
export function describeHost(host = ''): string {
  const allow = 'if it is to be one, allow it with --allow-host <name>, or allowHosts in a program';
  return `The Host ${JSON.stringify(host.slice(0, 100))} is not a name of this server; ${allow}.`;
}

/** The name or address without a port, as a browser would write it; empty when it is neither. */
function toName(host: string): string {
  // A URL has no zone of an address, as in `[fe80::1%eth0]`.
  const address = (isIPv6(host) ? `[${host}]` : host).replace(/^(\[[\da-f:.]+)%[\w.-]+\]/i, '$1]');
  const { hostname = '' } = URL.parse(`http://${address}`) ?? {};
  return hostname.replace(/\.$/, '');
}

function isAddress(name: string): boolean {
  return isIPv4(name) || name.startsWith('[');
}

function isLoopback(address: string): boolean {
  return /^(?:127(?:\.\d+){3}|\[::1\]|\[::ffff:7f..:[\da-f]+\])$/.test(address);
}

function isBeneath(name: string, allowed: string): boolean {
  return name === allowed || (allowed.startsWith('.') && `.${name}`.endsWith(allowed));
}
