import { contractFile } from '../common/contract-file.ts';
import { createPaint } from '../common/paint.ts';
import type { LogFormat } from '../common/value-kinds.ts';
import type { Exchange, Judge, Recording } from './exchange.ts';
import { createRedaction, redactJudge } from './findings/create-redaction.ts';
import { createFindingsRecord, type Findings } from './findings/findings.ts';
import { printViolation } from './findings/print-violation.ts';
import { createJudge } from './judge/create-judge.ts';
import { HarError, type RawEntry } from './recorded/create-entry-splitter.ts';
import { basePathOf, findAddress } from './recorded/find-address.ts';
import { readEntries } from './recorded/read-entries.ts';
import { isFromCache, parseEntry, type RecordedExchange, readExchange } from './recorded/read-exchange.ts';
import { noBody } from './relay/carried-body.ts';
import { findHeadFault } from './relay/find-head-fault.ts';

/** What is checked, and how. */
export interface CheckConfig {
  /** The path of a HAR file, or `-` for stdin. */
  readonly file: string;
  /** Where the service is. @default any host, beneath /v1 */
  readonly baseUrl?: URL | undefined;
  /** Keys to keep out of all that it tells, beside that of each request. */
  readonly apiKeys: readonly string[];
  readonly log: LogFormat;
  /** Whether the lines have colours. @default false */
  readonly isColoured?: boolean;
  /** Gets lines of the log. */
  readonly write: (lines: string) => Promise<void>;
  /** Told when reading begins, and then how much has been read, in percent; of a pipe that is undefined. */
  readonly onProgress: (percent: number | undefined) => void;
}

/** What a HAR file shows. */
export interface Checked {
  readonly findings: Findings;
  readonly recording: Recording;
}

/** The most addresses that are told of. */
const MOST_ADDRESSES = 5;

/** The beginning of a path as it is told, such as `/api` or `/v2`; anything else may be a key. */
const FIRST_SEGMENT = /^\/[a-z_-]{0,20}\d?(?=[/?]|$)/i;

/**
 * Judges the exchanges of a HAR file as if they passed through the proxy, and asks no server for anything.
 *
 * @throws HarError when it is not a HAR file, or holds no exchange with the service.
 */
export async function checkRecording(config: CheckConfig): Promise<Checked> {
  return check(config).catch((error) => {
    const name = config.file === '-' ? 'stdin' : config.file;
    throw error instanceof HarError ? new HarError(`${name} ${error.message}`) : error;
  });
}

async function check(config: CheckConfig): Promise<Checked> {
  const { file, baseUrl, apiKeys, log, isColoured = false, write, onProgress } = config;
  const paint = createPaint(isColoured);
  const judge = redactJudge(await createJudge(contractFile), createRedaction(apiKeys));
  const record = createFindingsRecord(baseUrl, apiKeys);
  const counts = { entries: 0, otherAddresses: 0, fromCache: 0, tooLarge: 0 };
  const missing = { bodiesNotRecorded: 0, keysNotRecorded: 0 };
  const [origins, others] = [new Set<string>(), new Set<string>()];
  const read = async ({ index, position, bytes }: RawEntry): Promise<Exchange | keyof typeof counts> => {
    if (bytes === undefined) return 'tooLarge';
    const entry = parseEntry(bytes, index, position);
    const address = findAddress(entry.request.url, baseUrl);
    if (!address?.isBeneath) {
      if (address !== undefined)
        remember(others, `${address.origin}${FIRST_SEGMENT.exec(address.target)?.[0] ?? ''}`);
      return 'otherAddresses';
    }
    if (isFromCache(entry)) return 'fromCache';
    const told = await readExchange(entry, address, file);
    if (told === undefined) return 'tooLarge';
    const exchange = judgeExchange(told, judge);
    remember(origins, address.origin);
    missing.bodiesNotRecorded += told.bodiesNotRecorded;
    if (exchange.operationId !== undefined) missing.keysNotRecorded += Number(told.isKeyAssumed);
    const startedDateTime = toIso(entry.startedDateTime);
    return { ...exchange, recorded: { origin: address.origin, index, startedDateTime } };
  };
  for await (const entries of readEntries(file, onProgress)) {
    const lines: string[] = [];
    for (const raw of entries) {
      counts.entries += 1;
      const exchange = await read(raw);
      if (typeof exchange === 'string') {
        counts[exchange] += 1;
        continue;
      }
      const time = new Date(exchange.recorded?.startedDateTime ?? Date.now());
      for (const sighting of record.add(exchange))
        if (log !== 'silent') lines.push(`${printViolation(log, time, sighting, paint)}\n`);
    }
    if (lines.length > 0) await write(lines.join(''));
  }
  const findings = record.read();
  const baseUrls = [...origins].map((origin) => `${origin}${basePathOf(baseUrl)}`);
  const recording = { file, baseUrls, ...counts, ...missing };
  if (findings.exchanges === 0) throw new HarError(describeNothing(recording, [...others], baseUrl));
  return { findings, recording };
}

function judgeExchange(told: RecordedExchange, judge: Judge): Exchange {
  const { request, response } = told;
  const { operationId, violations, judgeResponse } = judge(request);
  if (response === undefined) {
    // Of a request that got no answer, browsers do not record all that was sent.
    const refusal = { code: 'upstream_failed', message: 'It has no answer.' } as const;
    return { request, response, operationId, violations: [], refusal };
  }
  const fault = findHeadFault({
    status: response.status,
    reason: '',
    port: undefined,
    rawHeaders: [],
    body: noBody,
  });
  const found = fault ? [fault] : judgeResponse(response);
  return { request, response, operationId, violations: [...violations, ...found], refusal: undefined };
}

function remember(addresses: Set<string>, address: string): void {
  if (addresses.size < MOST_ADDRESSES) addresses.add(address);
}

function toIso(time: unknown): string | undefined {
  const date = new Date(typeof time === 'string' ? time : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Says why nothing could be judged, and what helps. */
function describeNothing(recording: Recording, others: readonly string[], baseUrl: URL | undefined): string {
  const { entries, fromCache, tooLarge } = recording;
  const all = `holds no exchange to judge among its ${entries} entries`;
  if (fromCache > 0)
    return `${all}: the browser's cache or a service worker answered; record with the cache disabled`;
  if (tooLarge > 0) return `${all}: ${tooLarge} of them are too large to be read`;
  const wanted = baseUrl?.href ?? `any host beneath ${basePathOf(baseUrl)}`;
  const found = others.length === 0 ? '' : `; there are ${others.join(', ')}`;
  return `${all}: none is of ${wanted}${found}; --base-url <url> names where the service is`;
}
