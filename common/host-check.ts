import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';

/** Tells whether a request may have this Host header. */
export type HostCheck = (host: string | undefined) => boolean;

/**
 * Creates the check of the Host header that keeps out the pages of other sites: the owner of such a site can make its name
 * lead to this machine, and then its pages may read the answers (DNS rebinding). A server on a loopback address takes
 * loopback names, its own, and those of `allowHosts`, of which `.app.test` stands for all names beneath it too. On any
 * other address the check begins with the first name in `allowHosts`. No browser leaves Host out, so that may be missing.
 *
 * @throws Node's own error when `host` has no address.
 */
export async function createHostCheck(host: string, allowHosts: readonly string[] = []): Promise<HostCheck> {
  if (allowHosts.length === 0 && !(await isLoopbackHost(host))) return () => true;
  const names = [host, ...allowHosts].map(toName);
  // A client sends the same one each time.
  let latest: string | undefined;
  return (value) => {
    if (!value || value === latest) return true;
    const name = /[/?#@\\\s]/.test(value) ? '' : toName(value);
    const isAllowed = isLoopback(name) || (name !== '' && names.some((one) => isBeneath(name, one)));
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
  const { hostname = '' } = URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}`) ?? {};
  return hostname.replace(/\.$/, '');
}

function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f..:[\da-f]+\])$/.test(name);
}

function isBeneath(name: string, allowed: string): boolean {
  return name === allowed || (allowed.startsWith('.') && `.${name}`.endsWith(allowed));
}
