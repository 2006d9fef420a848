import type { IncomingMessage, RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { contractFile } from '../../common/contract-file.ts';
import type { Exchange } from '../exchange.ts';
import { createJudge } from '../judge/create-judge.ts';
import { type RelayConfig, relayDefaults } from '../relay/relay-config.ts';
import { startRelay } from '../relay/start-relay.ts';
import { startUpstream } from './start-upstream.ts';

/** The judge of the contract; it takes a moment to load and keeps nothing, so the tests of a file share it. */
const contractJudge = createJudge(contractFile);

/** Starts a relay with its judge for the test that is running, closes it afterwards, and keeps what it is told. */
export async function startTestProxy(upstream: string, options: Partial<RelayConfig> = {}) {
  const exchanges: Exchange[] = [];
  const proxy = await startRelay({
    upstream: new URL(upstream),
    judge: await contractJudge,
    ...relayDefaults,
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
