import type { LogFormat } from '../common/cli/log-format.ts';
import { HarError, readEntries } from '../common/har/read-entries.ts';
import {
  basePathOf,
  findAddress,
  isFromCache,
  readExchange,
  readHeaders,
} from '../common/har/read-exchange.ts';
import { toPart } from '../common/har/read-recorded-body.ts';
import type { Contract } from '../common/json/contract.ts';
import { loadContract } from '../common/load-contract.ts';
import { createPaint } from '../common/text/paint.ts';
import { Keys } from '../common/text/redact.ts';
import { type CheckRequest, type Exchange, findBroken } from './exchange.ts';
import { createLog } from './findings/create-log.ts';
import { FindingsRecord } from './findings/findings-record.ts';
import type { Recording } from './findings/print-run.ts';
import { createKeyMemory, summarize } from './findings/redact-exchange.ts';
import { loadCheck } from './load-check.ts';

export interface CheckConfig {
  /** Path of the HAR file, or `-` for stdin. */
  readonly file: string;
  /** @default 'silent' */
  readonly log?: LogFormat;
  /** @default openapi.yaml */
  readonly contract?: Contract;
  /** Redacted, in addition to the keys of requests. @default none */
  readonly keys?: Keys;
  /** @default any host, under /v1 */
  readonly baseUrl?: URL | undefined;
  /** @default false */
  readonly isColoured?: boolean;
  /** Gets each line of the log. @default to stdout */
  readonly write?: (line: string) => void;
}

const MAX_ADDRESSES = 5;

/** Codes that only requests which were not read have in a recording of the proxy. */
const codesOfMalformed = new Set<string>([
  ...['invalid_request', 'headers_too_large', 'payload_too_large'],
  'service_unavailable',
]);

/** Checks the exchanges of a HAR file. @throws HarError if it is not a HAR file, or has no exchange with the service */
export async function checkRecording(config: CheckConfig) {
  try {
    return await checkEntries(config);
  } catch (error) {
    const name = config.file === '-' ? 'stdin' : config.file;
    throw error instanceof HarError ? new HarError(`${name} ${error.message}`) : error;
  }
}

async function checkEntries({
  file,
  log = 'silent',
  contract = loadContract(),
  keys = new Keys(),
  baseUrl,
  isColoured = false,
  write = (line) => void process.stdout.write(line),
}: CheckConfig) {
  const check = await loadCheck(contract, keys);
  const record = new FindingsRecord(contract, keys);
  const writeLog = createLog(log, createPaint(isColoured), write);
  const counts = { entries: 0, otherAddresses: 0, fromCache: 0, keysNotRecorded: 0 };
  const origins = new Set<string>();
  const others = new Set<string>();
  const entries = await readEntries(file);
  const rememberKeys = createKeyMemory(keys);
  for (const { request, response } of entries)
    if (findAddress(request.url, baseUrl)?.isOfService)
      rememberKeys(readHeaders(request), Number(toPart(response).status) || undefined);
  for (const [index, entry] of entries.entries()) {
    counts.entries += 1;
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
    const { isKeyAssumed, ...read } = readExchange(entry, address, file);
    const time = Date.parse(String(entry.startedDateTime));
    const startedAt = Number.isNaN(time) ? undefined : time;
    const exchange = { ...checkExchange(read, check, index), startedAt, entry: index };
    origins.add(address.origin);
    if (exchange.operationId !== undefined) counts.keysNotRecorded += Number(isKeyAssumed);
    const { found } = record.add(exchange, address.origin);
    // A browser does not record why there is no response.
    if (found.length > 0) writeLog(summarize(exchange, keys), found);
  }
  const findings = record.read();
  const baseUrls = [...origins].slice(0, MAX_ADDRESSES).map((origin) => `${origin}${basePathOf(baseUrl)}`);
  const recording: Recording = { file, baseUrls, ...counts };
  if (findings.exchanges === 0) throw new HarError(describeNothing(recording, others, baseUrl));
  return { findings, recording };
}

/** What was read of an entry. */
type Read = Pick<ReturnType<typeof readExchange>, 'request' | 'response' | 'isWhole' | 'failure'>;

function checkExchange(
  { request, response, isWhole, failure }: Read,
  check: CheckRequest,
  index: number,
): Exchange {
  const malformed = failure && codesOfMalformed.has(failure.code) ? failure.message : undefined;
  const { operationId, violations, sent, checkResponse } = check({ ...request, malformed });
  const common = { request, operationId, sent };
  if (response === undefined) {
    const message = `log.entries[${index}] has no response`;
    const unknown = { code: 'upstream_failed', message } as const;
    // Browsers do not record all of a request without a response.
    const known = isWhole
      ? { violations: [...violations, ...findBroken(failure, operationId)], refusal: failure }
      : { violations: [], refusal: unknown };
    return { ...common, ...known, response, answered: undefined };
  }
  const found = checkResponse(response);
  const all = [...violations, ...found.violations, ...found.brokenRules];
  return { ...common, response, violations: all, answered: found.answered, refusal: undefined };
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
