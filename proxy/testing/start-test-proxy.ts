import type { IncomingMessage, RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { loadContract } from '../../common/load-contract.ts';
import { Keys } from '../../common/text/redact.ts';
import type { Exchange } from '../exchange.ts';
import { FindingsRecord } from '../findings/findings-record.ts';
import { loadCheck } from '../load-check.ts';
import { resolveProxyOptions } from '../options.ts';
import { type RelayConfig, TIMEOUT } from '../relay/relay-config.ts';
import { startRelay } from '../relay/start-relay.ts';
import { startUpstream } from './start-upstream.ts';

/** The check loads slowly. */
const check = loadCheck(loadContract(), new Keys());

/**
 * Starts a relay for the running test, and keeps the exchanges.
 * @param whenDone of the context of a concurrent test: the imported one belongs to any of them
 */
export async function startTestProxy(
  upstream: string,
  options: Partial<RelayConfig> = {},
  whenDone = onTestFinished,
) {
  const exchanges: Exchange[] = [];
  const proxy = await startRelay({
    ...resolveProxyOptions({ upstream }),
    isInMock: false,
    timeout: TIMEOUT,
    allPaths: false,
    readCheck: () => check,
    onExchange: (exchange) => void exchanges.push(exchange),
    ...options,
  });
  whenDone(() => proxy.close());
  const readFindings = () => {
    const record = new FindingsRecord(loadContract(), new Keys());
    for (const exchange of exchanges) record.add(exchange, new URL(upstream).origin);
    return record.read();
  };
  return { ...proxy, exchanges, readFindings };
}

/** Starts a relay in front of its own upstream, and keeps the requests that it gets. */
export async function startProxyBefore(handle: RequestListener, options?: Partial<RelayConfig>) {
  const received: IncomingMessage[] = [];
  const upstream = await startUpstream((request, response) => {
    received.push(request);
    handle(request, response);
  });
  return { upstream, received, ...(await startTestProxy(upstream, options)) };
}

/** Prints a request, such as `GET /v1/pets`, for a connection. */
export function printRequest(line: string, headers = ['Connection: close'], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n');
}
