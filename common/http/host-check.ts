import { isIPv4, isIPv6 } from 'node:net';

export type HostCheck = (host: string | undefined) => boolean;

/**
 * Creates the check of the Host header against DNS rebinding. Allowed are IP addresses, `localhost` and names under it, the
 * host's name in Docker, the server's own name and `allowHosts`, where `.app.test` also allows all names under it. Host may be
 * missing, since every browser sends it.
 */
export function createHostCheck(host: string, allowHosts: readonly string[] = []): HostCheck {
  const names = ['.localhost', 'host.docker.internal', host, ...allowHosts].map(toName);
  // Most requests have the same Host, and to parse it takes a tenth of the time of a 401.
  let lastAllowed = '';
  return (value) => {
    if (!value || value === lastAllowed) return true;
    const name = /[/?#@\\\s]/.test(value) ? '' : toName(value);
    const isAddress = isIPv4(name) || name.startsWith('[');
    const isAllowed = isAddress || (name !== '' && names.some((one) => isUnder(name, one)));
    if (isAllowed) lastAllowed = value;
    return isAllowed;
  };
}

/** Returns whether a request has more than one Host, which must be refused with 400. Source: RFC 9112 section 3.2 */
export function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  return hosts.length > 1;
}

const LONGEST_SHOWN = 100;

export function describeHost(host = ''): string {
  const allow = 'Allow it with --allow-host <name>, or allowHosts in code';
  return `The Host ${JSON.stringify(host.slice(0, LONGEST_SHOWN))} is not allowed. ${allow}.`;
}

/** Returns a name or an address without its port, as a browser would write it; empty for anything else. */
function toName(host: string): string {
  const { hostname = '' } = URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}`) ?? {};
  return hostname.replace(/\.$/, '');
}

function isUnder(name: string, allowed: string): boolean {
  return name === allowed || (allowed.startsWith('.') && `.${name}`.endsWith(allowed));
}
