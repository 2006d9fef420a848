import { HarError, readEntries } from '../common/har/read-entries.ts';
import {
  basePathOf,
  expectEntry,
  findAddress,
  isFromCache,
  readExchange,
} from '../common/har/read-exchange.ts';
import type { Contract } from '../common/json/contract.ts';
import { loadContract } from '../common/load-contract.ts';
import { createPaint } from '../common/text/paint.ts';
import { Keys } from '../common/text/redact.ts';
import type { CheckRequest, Exchange, Recording } from './exchange.ts';
import { createLog } from './findings/create-log.ts';
import { type Findings, FindingsRecord } from './findings/findings-record.ts';
import { redactCheck, summarize } from './findings/redact-exchange.ts';
import { loadCheck } from './load-check.ts';
import type { CheckArguments } from './options.ts';

export interface CheckConfig extends Pick<CheckArguments, 'file' | 'log'> {
  /** @default openapi.yaml */
  readonly contract?: Contract;
  /** Keys to redact, in addition to the keys of requests. */
  readonly apiKeys: readonly string[];
  /** @default any host, under /v1 */
  readonly baseUrl?: URL | undefined;
  readonly isColoured?: boolean;
  readonly write: (line: string) => void;
}

const MAX_ADDRESSES = 5;

/** Checks the exchanges of a HAR file. @throws HarError if it is not a HAR file, or has no exchange with the service */
export function checkRecording(config: CheckConfig): Promise<{ findings: Findings; recording: Recording }> {
  return checkEntries(config).catch((error) => {
    const name = config.file === '-' ? 'stdin' : config.file;
    throw error instanceof HarError ? new HarError(`${name} ${error.message}`) : error;
  });
}

async function checkEntries({
  file,
  contract = loadContract(),
  baseUrl,
  apiKeys,
  log,
  isColoured = false,
  write,
}: CheckConfig) {
  const keys = new Keys(apiKeys);
  const checkRequest = redactCheck(await loadCheck(contract), keys);
  const record = new FindingsRecord(() => baseUrl?.origin, keys, [], contract);
  const logConfig = { paint: createPaint(isColoured), write, repeats: 'all' } as const;
  const writeLog = log === 'silent' ? undefined : createLog({ ...logConfig, log });
  const counts = { entries: 0, otherAddresses: 0, fromCache: 0, bodiesNotRecorded: 0, keysNotRecorded: 0 };
  const origins = new Set<string>();
  const others = new Set<string>();
  for await (const value of readEntries(file)) {
    const index = counts.entries;
    counts.entries += 1;
    const entry = expectEntry(value, index);
    const address = findAddress(entry.request.url, baseUrl);
    if (!address?.isOfService) {
      counts.otherAddresses += 1;
      if (address !== undefined) others.add(address.origin);
      continue;
    }
    if (isFromCache(entry)) {
      counts.fromCache += 1;
      continue;
    }
    const { bodiesNotRecorded, isKeyAssumed, ...read } = readExchange(entry, address, file);
    const startedDateTime = new Date(String(entry.startedDateTime)).toJSON() ?? undefined;
    const recorded = { origin: address.origin, index, startedDateTime };
    const exchange: Exchange = { ...checkExchange(read, checkRequest, index), recorded };
    origins.add(address.origin);
    counts.bodiesNotRecorded += bodiesNotRecorded;
    if (exchange.operationId !== undefined) counts.keysNotRecorded += Number(isKeyAssumed);
    const time = new Date(startedDateTime ?? Date.now());
    const { found } = record.add(exchange);
    // A browser does not record why there is no response.
    if (found.length > 0) writeLog?.(time, summarize(exchange, keys), found, undefined);
  }
  const findings = record.read();
  const baseUrls = [...origins].slice(0, MAX_ADDRESSES).map((origin) => `${origin}${basePathOf(baseUrl)}`);
  const recording: Recording = { file, baseUrls, ...counts };
  if (findings.exchanges === 0) throw new HarError(describeNothing(recording, others, baseUrl));
  return { findings, recording };
}

/** What was read of an entry. */
type Read = ReturnType<typeof readExchange>;

function checkExchange(
  { request, response, isWhole, failure }: Pick<Read, 'request' | 'response' | 'isWhole' | 'failure'>,
  check: CheckRequest,
  index: number,
): Exchange {
  const { operationId, violations, sent, checkResponse } = check(request);
  const common = { request, operationId, sent };
  if (response === undefined && isWhole)
    return { ...common, response, violations, answered: undefined, refusal: failure };
  // Browsers do not record all of a request without a response.
  if (response === undefined) {
    const message = `log.entries[${index}] has no response`;
    const refusal = { code: 'upstream_failed', message } as const;
    return { ...common, response, violations: [], answered: undefined, refusal };
  }
  const found = checkResponse(response);
  const all = [...violations, ...found.violations, ...found.brokenRules];
  const { answered } = found;
  return { ...common, response, violations: all, answered, refusal: undefined };
}

function describeNothing({ entries, fromCache }: Recording, addresses: Set<string>, baseUrl?: URL): string {
  const all = `has ${entries} entries and no exchange to check`;
  if (fromCache > 0)
    return `${all}: the browser's cache or a service worker answered. Record again with the cache disabled.`;
  const required = baseUrl?.href ?? `${basePathOf(baseUrl)} of any host`;
  const others = [...addresses].slice(0, MAX_ADDRESSES).join(', ');
  const found = others === '' ? '' : ` Addresses in the file: ${others}.`;
  return `${all}: none is under ${required}.${found} Give the base URL with --base-url.`;
}
