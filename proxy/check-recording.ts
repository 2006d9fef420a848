import type { LogFormat } from '../common/cli/log-format.ts';
import { contractFile } from '../common/contract-file.ts';
import { createPaint } from '../common/text/paint.ts';
import type { CheckRequest, Exchange, Recording } from './exchange.ts';
import { type Findings, FindingsRecord } from './findings/findings-record.ts';
import { printViolation } from './findings/print-findings.ts';
import { redactCheck } from './findings/redact-check.ts';
import { HarError, readEntries } from './har/read-entries.ts';
import { basePathOf, expectEntry, findAddress, isFromCache, readExchange } from './har/read-exchange.ts';
import { createCheck } from './validate/create-check.ts';

export interface CheckConfig {
  /** Path of a HAR file, or `-` for stdin. */
  readonly file: string;
  /** @default any host, under /v1 */
  readonly baseUrl?: URL | undefined;
  /** Keys to redact, in addition to the keys of requests. */
  readonly apiKeys: readonly string[];
  readonly log: LogFormat;
  readonly isColoured?: boolean;
  readonly write: (line: string) => void;
}

const MAX_ADDRESSES = 5;

const noAnswer = { code: 'upstream_failed', message: 'It has no answer.' } as const;

/** Checks the exchanges of a HAR file. @throws HarError if it is not a HAR file, or has no exchange with the service */
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
    const { file, baseUrl, apiKeys, log, isColoured = false, write } = this.#config;
    const checkRequest = redactCheck(await createCheck(contractFile), apiKeys);
    const paint = createPaint(isColoured);
    for await (const entry of readEntries(file)) {
      const exchange = await this.#read(entry, checkRequest);
      if (exchange === undefined) continue;
      const time = new Date(exchange.recorded?.startedDateTime ?? Date.now());
      for (const sighting of this.#record.add(exchange))
        if (log !== 'silent') write(`${printViolation(log, time, sighting, paint)}\n`);
    }
    const findings = this.#record.read();
    if (findings.exchanges === 0) throw new HarError(this.#describeNothing());
    const origins = [...this.#origins].slice(0, MAX_ADDRESSES);
    const baseUrls = origins.map((origin) => `${origin}${basePathOf(baseUrl)}`);
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
      if (address !== undefined) this.#others.add(address.origin);
      return undefined;
    }
    if (isFromCache(entry)) {
      this.#counts.fromCache += 1;
      return undefined;
    }
    const { request, response, bodiesNotRecorded, isKeyAssumed } = await readExchange(entry, address, file);
    const { operationId, violations, checkResponse } = checkRequest(request);
    this.#origins.add(address.origin);
    this.#counts.bodiesNotRecorded += bodiesNotRecorded;
    if (operationId !== undefined) this.#counts.keysNotRecorded += Number(isKeyAssumed);
    const startedDateTime = new Date(String(entry.startedDateTime)).toJSON() ?? undefined;
    const recorded = { origin: address.origin, index, startedDateTime };
    const common = { request, response, operationId, recorded };
    // Browsers do not record all of a request without a response.
    if (response === undefined) return { ...common, violations: [], refusal: noAnswer };
    return { ...common, violations: [...violations, ...checkResponse(response)], refusal: undefined };
  }

  #describeNothing(): string {
    const { entries, fromCache } = this.#counts;
    const all = `holds no exchange to check among its ${entries} entries`;
    if (fromCache > 0)
      return `${all}: the browser's cache or a service worker answered; record with the cache disabled`;
    const { baseUrl } = this.#config;
    const required = baseUrl?.href ?? `any host under ${basePathOf(baseUrl)}`;
    const others = [...this.#others].slice(0, MAX_ADDRESSES).join(', ');
    const found = others === '' ? '' : `; there are ${others}`;
    return `${all}: none is of ${required}${found}; --base-url <url> names where the service is`;
  }
}
