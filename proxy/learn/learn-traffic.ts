import type { Exchange } from '../../common/learn/exchange.ts';
import { KNOWN_HEADERS } from '../../common/learn/known-headers.ts';
import { collectValues, type Learned, type Shown } from '../../common/learn/learn.ts';
import { LEARNED_VERSION } from '../../common/learn/learned-version.ts';
import { nameProbe } from '../../common/learn/name-probe.ts';
import { readTraffic, type Traffic } from './traffic.ts';
import { trafficObservers } from './traffic-observers.ts';
import type { TrafficRecord } from './traffic-record.ts';

/**
 * Learns the behaviour of a service from the traffic of its clients. It sends nothing. There are no fingerprints, because clients
 * send other requests than the suite does.
 */
export function learnTraffic(record: TrafficRecord): Learned {
  const traffic = readTraffic(record);
  const hasWrites = traffic.eras.some(({ run }) => run.additions.length > 0);
  return {
    version: LEARNED_VERSION,
    mode: hasWrites ? 'writes' : 'read-only',
    ...collectValues(
      (name) => trafficObservers[name](traffic),
      (exchange) => show(exchange, traffic),
    ),
    fingerprints: [],
  };
}

/** Describes a request by what it tries, since its path may have personal data, and leaves out the animals. */
function show(exchange: Exchange, { eras }: Traffic): Shown {
  const { run } = eras.find((era) => era.run.all.includes(exchange)) ?? {};
  return {
    request: run === undefined ? exchange.request.method : nameProbe(exchange, run),
    status: exchange.status,
    headers: Object.keys(exchange.response?.headers ?? {}).filter((name) => KNOWN_HEADERS.has(name)),
    animals: [],
  };
}
