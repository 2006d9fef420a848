import type { Exchange, Target } from '../../common/learn/exchange.ts';
import { FinishedRun, NOT_SHOWN, type Observation } from '../../common/learn/finished-run.ts';
import { ANY_SERVICE, type KeptExchange, TrafficExchange } from './traffic-exchange.ts';
import type { TrafficRecord, Write } from './traffic-record.ts';
import { resourceOf, translatePath } from './translate-path.ts';

/** What observers know of the service. Its key is one of many. */
export const target: Target = { baseUrl: ANY_SERVICE, apiKey: '', allowsWrites: true };

/** Exchanges with one and the same store. A mock that a test resets has another store from then on. */
export interface Era {
  /** All exchanges, except those of `heads`. */
  readonly run: FinishedRun;
  /** HEAD requests, whose responses have no body. */
  readonly heads: FinishedRun;
  /** Without refused POST requests: what traffic refuses may be refused for any reason. */
  readonly accepted: FinishedRun;
  /** Times in which no list of the same query had another length, and no client added an animal, for each key. */
  readonly stretches: readonly FinishedRun[];
}

/** Traffic, as observers read it. */
export interface Traffic {
  readonly record: TrafficRecord;
  readonly eras: readonly Era[];
  /** Keys by exchange, see `KeptExchange`. */
  readonly keyOf: (exchange: Exchange) => string | undefined;
}

/** Reads the kept exchanges of a record, and finds the times in which the store stayed the same. */
export function readTraffic(record: TrafficRecord): Traffic {
  const { kept } = record;
  const statuses = Map.groupBy(kept, ({ request }) => resourceOf(request.path));
  const isUnknown = (path: string) => {
    const resource = resourceOf(path);
    const all = statuses.get(resource) ?? [];
    return !['', 'pets'].includes(resource) && all.every(({ response }) => response.status === 404);
  };
  const keys = new WeakMap<Exchange, string | undefined>();
  const exchanges = kept.map((one) => {
    const exchange = createExchange(one, record, isUnknown);
    keys.set(exchange, one.key);
    return exchange;
  });
  const sorted = exchanges.toSorted((one, other) => one.at - other.at);
  const keyOf = (exchange: Exchange) => keys.get(exchange);
  const eras = splitEras(sorted).map((era) => createEra(era, record.writes, keyOf));
  return { record, eras, keyOf };
}

function createExchange(kept: KeptExchange, record: TrafficRecord, isUnknown: (path: string) => boolean) {
  const { request, response, key, at, ms } = kept;
  const isGet = request.method === 'GET';
  const path = isGet ? translatePath(request.path, isUnknown) : request.path;
  const isAuthorized = record.isValidKey(key) && response.status !== 401;
  return new TrafficExchange({ request: { ...request, path, isAuthorized }, response, at, ms });
}

/** Begins an era where an animal is added whose id an earlier animal had. */
function splitEras(sorted: readonly Exchange[]): Exchange[][] {
  const eras: Exchange[][] = [[]];
  let seen = new Map<bigint, number>();
  for (const exchange of sorted) {
    const { isAddition, id, animals, animal, at, end } = exchange;
    if (isAddition && id !== undefined && (seen.get(id) ?? Number.POSITIVE_INFINITY) <= at) {
      eras.push([]);
      seen = new Map();
    }
    eras.at(-1)?.push(exchange);
    for (const one of animal === undefined ? animals : [animal])
      if (typeof one.id === 'bigint') seen.set(one.id, Math.min(end, seen.get(one.id) ?? end));
  }
  return eras;
}

function createEra(all: readonly Exchange[], writes: readonly Write[], keyOf: Traffic['keyOf']): Era {
  const isHead = ({ request }: Exchange) => request.method === 'HEAD';
  const exchanges = all.filter((one) => !isHead(one));
  const heads = new FinishedRun(all.filter(isHead), target);
  const run = new FinishedRun(exchanges, target);
  const posts = new Set(run.posts.filter(({ isAddition }) => !isAddition));
  const accepted = new FinishedRun(
    exchanges.filter((one) => !posts.has(one)),
    target,
  );
  // With another key, a service may show other animals.
  const byKey = [...Map.groupBy(run.valid, keyOf).values()];
  return { run, heads, accepted, stretches: byKey.flatMap((valid) => splitStretches(valid, writes)) };
}

/** Splits where a client adds an animal, and where a list has another length than the one before it. */
function splitStretches(valid: readonly Exchange[], writes: readonly Write[]): FinishedRun[] {
  const stretches: Exchange[][] = [[]];
  let lengths = new Map<string, number>();
  let writesBefore = 0;
  const begin = () => {
    stretches.push([]);
    lengths = new Map();
  };
  for (const exchange of valid) {
    const { request, path, isList, animals, at, end } = exchange;
    if (request.method !== 'GET') continue;
    if (writes.some((write) => write.at <= end && write.end >= at)) continue;
    const ended = writes.filter((write) => write.end < at).length;
    if (ended > writesBefore) begin();
    writesBefore = ended;
    if (isList && (lengths.get(path) ?? animals.length) !== animals.length) begin();
    if (isList) lengths.set(path, animals.length);
    stretches.at(-1)?.push(exchange);
  }
  return stretches.map((stretch) => new FinishedRun(stretch, target));
}

/** Merges what parts of the traffic show: all that show a value have to show the same one. */
export function merge(observations: readonly Observation[], nothing: string): Observation {
  const values = observations.filter((one) => 'value' in one);
  const [first] = values;
  if (values.some(({ value }) => value !== first?.value)) return { unknown: 'responses differ' };
  if (first !== undefined)
    return { ...first, evidence: values.flatMap(({ evidence }) => evidence).slice(0, 2) };
  const reasons = observations.filter((one) => 'unknown' in one);
  const isTelling = ({ unknown }: { unknown: string }) => ![NOT_SHOWN, nothing].includes(unknown);
  return (
    reasons.find(({ isUndescribed }) => isUndescribed) ?? reasons.find(isTelling) ?? { unknown: nothing }
  );
}
