import { onTestFinished } from 'vitest';
import { contractFile } from '../../common/contract-file.ts';
import type { Exchange } from '../exchange.ts';
import { createJudge } from '../judge/create-judge.ts';
import { type Relay, type RelayConfig, startRelay } from '../relay/start-relay.ts';
import { type Handler, startUpstream } from './start-upstream.ts';

/** The judge of the contract; it takes a moment to load and keeps nothing, so the tests of a file share it. */
const contractJudge = createJudge(contractFile);

/** A proxy in a test, with what it has found so far. */
export interface TestProxy extends Relay {
  readonly exchanges: readonly Exchange[];
}

/** Starts a relay with its judge for the test that is running, on a free port, and closes it afterwards. */
export async function startTestProxy(
  upstream: string,
  options: Partial<RelayConfig> = {},
): Promise<TestProxy> {
  const exchanges: Exchange[] = [];
  const proxy = await startRelay({
    upstream: new URL(upstream),
    judge: await contractJudge,
    port: 0,
    host: '127.0.0.1',
    timeout: 30_000,
    insecure: false,
    violationHeader: true,
    errors: false,
    onExchange: (exchange) => void exchanges.push(exchange),
    ...options,
  });
  onTestFinished(() => proxy.close());
  return { ...proxy, exchanges };
}

/** Starts it before an upstream of its own. */
export async function startProxyBefore(
  handle: Handler,
  options?: Partial<RelayConfig>,
): Promise<TestProxy & { upstream: string }> {
  const upstream = await startUpstream(handle);
  return { upstream, ...(await startTestProxy(upstream, options)) };
}
