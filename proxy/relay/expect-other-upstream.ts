import { lookup } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { UsageError } from '../../common/usage-error.ts';

/** @throws UsageError when the upstream is where the proxy listens: every request would come back to it for ever. */
export async function expectOtherUpstream(upstream: URL, own: AddressInfo): Promise<void> {
  const port =
    upstream.port === '' ? { 'http:': 80, 'https:': 443 }[upstream.protocol] : Number(upstream.port);
  if (port !== own.port) return;
  // One without an address is another, which is for its requests to find out.
  const theirs = await lookup(upstream.hostname.replace(/^\[(.*)\]$/, '$1'), { all: true }).catch(() => []);
  if (!theirs.some(({ address }) => isSame(address, own.address) || isSame(own.address, address))) return;
  const instead = 'give the base URL of the deployment, or let the proxy listen at another port';
  throw new UsageError(`the upstream ${upstream.href} is the proxy itself: ${instead}`);
}

/** Whether an address is another one, or stands for all of this machine, the other one among them. */
function isSame(address: string, other: string): boolean {
  if (address === other) return true;
  const local = Object.values(networkInterfaces()).flatMap((one = []) => one.map(({ address }) => address));
  const isLocal = local.includes(other) || /^(?:127\.|0\.0\.0\.0$|::$)/.test(other);
  return /^(?:0\.0\.0\.0|::)$/.test(address) && isLocal;
}
