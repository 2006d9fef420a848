import type { IncomingMessage, RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { contractFile } from '../../common/contract-file.ts';
import type { Exchange } from '../exchange.ts';
import { startDefaults } from '../options.ts';
import type { RelayConfig } from '../relay/relay-config.ts';
import { startRelay } from '../relay/start-relay.ts';
import { createCheck } from '../validate/create-check.ts';
import { startUpstream } from './start-upstream.ts';

/** The check of the contract, which the tests of a file share since it loads slowly. */
const contractCheck = createCheck(contractFile);

/** Starts a relay for the running test, closes it afterwards, and keeps the exchanges. */
export async function startTestProxy(upstream: string, options: Partial<RelayConfig> = {}) {
  const exchanges: Exchange[] = [];
  const proxy = await startRelay({
    ...startDefaults,
    upstream: new URL(upstream),
    checkRequest: await contractCheck,
    onExchange: (exchange) => void exchanges.push(exchange),
    ...options,
  });
  onTestFinished(() => proxy.close());
  return { ...proxy, exchanges };
}

/** Starts it before an upstream of its own, and keeps the requests that come there. */
export async function startProxyBefore(handle: RequestListener, options?: Partial<RelayConfig>) {
  const received: IncomingMessage[] = [];
  const upstream = await startUpstream((request, response) => {
    received.push(request);
    handle(request, response);
  });
  return { upstream, received, ...(await startTestProxy(upstream, options)) };
}
