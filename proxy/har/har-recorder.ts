import { createHarEntry } from '../../common/har/har-entry.ts';
import { type HarCreator, HarFile } from '../../common/har/har-file.ts';
import { KeyNames } from '../../common/har/key-names.ts';
import { printMessage, type Violation } from '../../common/journal/violation.ts';
import { pairsOf } from '../bytes/raw-headers.ts';
import type { Exchange, Hide } from '../exchange.ts';

/** Writes the exchanges of a proxy to a HAR file. */
export class HarRecorder {
  readonly #origin: string;
  readonly #file: HarFile;
  readonly #keys = new KeyNames();

  /** @param upstream the deployment, whose URL the entries have. @throws UsageError if the file cannot be written */
  constructor(file: string, upstream: URL, creator: HarCreator) {
    this.#origin = upstream.origin;
    this.#file = new HarFile(file, creator);
  }

  /** @param hide redacts the keys of the request too. */
  add(exchange: Exchange, hide: Hide): void {
    const { request, response, refusal, startedAt = Date.now() } = exchange;
    const entry = {
      startedAt,
      ms: Math.max(0, Date.now() - startedAt),
      request: { ...request, url: this.#origin + request.target, headers: listHeaders(request) },
      response: response && { ...response, headers: listHeaders(response) },
      failure: response === undefined ? refusal : undefined,
      comment: describe(exchange),
    };
    this.#file.add(createHarEntry(entry, hide, this.#keys));
  }

  /** Leaves the file as it was. */
  discard(): void {
    this.#file.discard();
  }

  /** Completes the file. @returns why it could not be written; undefined if it was */
  end(): string | undefined {
    return this.#file.end();
  }
}

type Message = Pick<Exchange['request'], 'headers' | 'rawHeaders'>;

function listHeaders({ headers, rawHeaders }: Message): [name: string, value: string][] {
  return rawHeaders === undefined ? Object.entries(headers) : pairsOf(rawHeaders);
}

/** Describes what was found in an exchange, and what became of it, one thing on a line. */
function describe({ operationId, violations, response, refusal }: Exchange): string {
  const lines = violations.map((violation) => `violation: ${describeViolation(violation, operationId)}`);
  if (refusal !== undefined)
    lines.push(
      `${response === undefined ? 'no response' : 'the client got another response'}: ${refusal.message}`,
    );
  else if (response === undefined) lines.push('no response: the client did not wait for it');
  return lines.join('\n');
}

function describeViolation(violation: Violation, operationId = '-'): string {
  const { severity, place, rule } = violation;
  return `${severity} ${operationId} ${place} ${rule}: ${printMessage(violation)}`;
}
