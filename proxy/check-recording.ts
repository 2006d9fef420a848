import type { LogFormat } from '../common/cli/log-format.ts';
import { contractFile } from '../common/contract-file.ts';
import { createPaint } from '../common/text/paint.ts';
import { findHeadFault } from './bytes/find-head-fault.ts';
import type { CheckRequest, Exchange, Recording } from './exchange.ts';
import { type Findings, FindingsRecord } from './findings/findings-record.ts';
import { printViolation } from './findings/print-findings.ts';
import { redactCheck } from './findings/redact-check.ts';
import { basePathOf, findAddress } from './har/find-address.ts';
import { HarError, readEntries } from './har/read-entries.ts';
import { expectEntry, isFromCache, readExchange } from './har/read-exchange.ts';
import { createCheck } from './validate/create-check.ts';

/** A HAR file, and how it is checked. */
export interface CheckConfig {
  /** Path of a HAR file, or `-` for stdin. */
  readonly file: string;
  /** @default any host, under /v1 */
  readonly baseUrl?: URL | undefined;
  /** Keys to redact, in addition to the keys of requests. */
  readonly apiKeys: readonly string[];
  readonly log: LogFormat;
  /** @default false */
  readonly isColoured?: boolean;
  /** Gets lines of the log. */
  readonly write: (lines: string) => Promise<void>;
  /** Called first, and then with the percentage that is read; undefined for a pipe. */
  readonly onProgress: (percent: number | undefined) => void;
}

/** Maximum number of addresses that are printed. */
const MAX_ADDRESSES = 5;

/** The start of a path that is printed, such as `/api` or `/v2`; anything else may be a key. */
const FIRST_SEGMENT = /^\/[a-z_-]{0,20}\d?(?=[/?]|$)/i;

const noAnswer = { code: 'upstream_failed', message: 'It has no answer.' } as const;

/**
 * Checks the exchanges of a HAR file as if they passed through the proxy, without connections.
 *
 * @throws HarError if it is not a HAR file, or has no exchange with the service.
 */
export async function checkRecording(
  config: CheckConfig,
): Promise<{ findings: Findings; recording: Recording }> {
  return new RecordingCheck(config).run().catch((error) => {
    const name = config.file === '-' ? 'stdin' : config.file;
    throw error instanceof HarError ? new HarError(`${name} ${error.message}`) : error;
  });
}

class RecordingCheck {
  readonly #config: CheckConfig;
  readonly #record: FindingsRecord;
  readonly #counts = {
    entries: 0,
    otherAddresses: 0,
    fromCache: 0,
    bodiesNotRecorded: 0,
    keysNotRecorded: 0,
  };
  /** Origins of the service, and other addresses. */
  readonly #origins = new Set<string>();
  readonly #others = new Set<string>();

  constructor(config: CheckConfig) {
    this.#config = config;
    this.#record = new FindingsRecord(config.baseUrl, config.apiKeys);
  }

  async run() {
    const { file, baseUrl, apiKeys, log, isColoured = false, write, onProgress } = this.#config;
    const checkRequest = redactCheck(await createCheck(contractFile), apiKeys);
    const paint = createPaint(isColoured);
    for await (const entries of readEntries(file, onProgress)) {
      const lines: string[] = [];
      for (const entry of entries) {
        const exchange = await this.#read(entry, checkRequest);
        if (exchange === undefined) continue;
        const time = new Date(exchange.recorded?.startedDateTime ?? Date.now());
        for (const sighting of this.#record.add(exchange))
          if (log !== 'silent') lines.push(`${printViolation(log, time, sighting, paint)}\n`);
      }
      if (lines.length > 0) await write(lines.join(''));
    }
    const findings = this.#record.read();
    if (findings.exchanges === 0) throw new HarError(this.#describeNothing());
    const baseUrls = [...this.#origins].map((origin) => `${origin}${basePathOf(baseUrl)}`);
    return { findings, recording: { file, baseUrls, ...this.#counts } };
  }

  /** @returns undefined if an entry is no exchange with the service. */
  async #read(value: unknown, checkRequest: CheckRequest): Promise<Exchange | undefined> {
    const { file, baseUrl } = this.#config;
    const index = this.#counts.entries;
    this.#counts.entries += 1;
    const entry = expectEntry(value, index);
    const address = findAddress(entry.request.url, baseUrl);
    if (!address?.isOfService) {
      this.#counts.otherAddresses += 1;
      if (address !== undefined)
        remember(this.#others, `${address.origin}${FIRST_SEGMENT.exec(address.target)?.[0] ?? ''}`);
      return undefined;
    }
    if (isFromCache(entry)) {
      this.#counts.fromCache += 1;
      return undefined;
    }
    const { request, response, bodiesNotRecorded, isKeyAssumed } = await readExchange(entry, address, file);
    const { operationId, violations, checkResponse } = checkRequest(request);
    remember(this.#origins, address.origin);
    this.#counts.bodiesNotRecorded += bodiesNotRecorded;
    if (operationId !== undefined) this.#counts.keysNotRecorded += Number(isKeyAssumed);
    const recorded = { origin: address.origin, index, startedDateTime: toIso(entry.startedDateTime) };
    const common = { request, response, operationId, recorded };
    // Browsers do not record all of a request without a response.
    if (response === undefined) return { ...common, violations: [], refusal: noAnswer };
    const fault = findHeadFault(response.status);
    const found = fault ? [fault] : checkResponse(response);
    return { ...common, violations: [...violations, ...found], refusal: undefined };
  }

  #describeNothing(): string {
    const { entries, fromCache } = this.#counts;
    const all = `holds no exchange to check among its ${entries} entries`;
    if (fromCache > 0)
      return `${all}: the browser's cache or a service worker answered; record with the cache disabled`;
    const { baseUrl } = this.#config;
    const required = baseUrl?.href ?? `any host under ${basePathOf(baseUrl)}`;
    const found = this.#others.size === 0 ? '' : `; there are ${[...this.#others].join(', ')}`;
    return `${all}: none is of ${required}${found}; --base-url <url> names where the service is`;
  }
}

function remember(addresses: Set<string>, address: string): void {
  if (addresses.size < MAX_ADDRESSES) addresses.add(address);
}

function toIso(time: unknown): string | undefined {
  const date = new Date(typeof time === 'string' ? time : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
