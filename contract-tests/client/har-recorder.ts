import { existsSync } from 'node:fs';
import { createHarEntry } from '../../common/har/har-entry.ts';
import { HarFile } from '../../common/har/har-file.ts';
import { KeyNames } from '../../common/har/key-names.ts';
import type { SentRequest } from './client.ts';
import type { TransportFailure } from './exchange.ts';
import { hideKeys } from './hide-keys.ts';
import { toBytes, toSent } from './send-request.ts';
import { suiteVersion, type Target } from './target.ts';

/** Writes the requests of a run, and their responses, to a HAR file. */
export class HarRecorder {
  readonly #target: Target;
  readonly #file: HarFile;
  readonly #keys = new KeyNames();
  readonly #isNew: boolean;
  #hasResponse = false;

  /** @throws UsageError if the file cannot be written */
  constructor(file: string, target: Target) {
    this.#target = target;
    this.#isNew = !existsSync(file);
    this.#file = new HarFile(file, { name: 'animal-store-verify', version: suiteVersion });
  }

  readonly add = ({ request, sent, clause, startedAt, ms }: SentRequest): void => {
    const { response, failure, sentHeaders = request.headers } = sent;
    this.#hasResponse ||= response !== undefined;
    const asked = clause === undefined ? 'no clause' : `clause: ${clause}`;
    const code = failure?.kind === 'timeout' ? 'upstream_timeout' : 'upstream_failed';
    const entry = {
      startedAt,
      ms,
      request: {
        method: request.method,
        url: `${request.base}${toSent(request).path}`,
        headers: Object.entries(sentHeaders),
        body: toBytes(request),
      },
      response: response && {
        status: response.status,
        headers: Object.entries(response.headers),
        body: isDecoded(failure, response.headers) ? response.body : undefined,
      },
      failure: failure && response === undefined ? ({ code, message: failure.reason } as const) : undefined,
      comment: failure === undefined ? asked : `${asked}\n${failure.reason}`,
    };
    this.#file.add(createHarEntry(entry, (text) => hideKeys(text, this.#target), this.#keys));
  };

  /** Completes the file. @returns why it could not be written; undefined if it was */
  end(): string | undefined {
    return this.#file.end();
  }

  /** Completes the file of a run that could not start. An earlier file stays if no request was answered. @returns as `end` */
  endUntried(): string | undefined {
    // The requests may show why the deployment cannot be tested.
    if (this.#isNew || this.#hasResponse) return this.end();
    this.#file.discard();
    return undefined;
  }
}

/** Returns whether the body of a response is without content codings: what is cut or wrong was not decoded. */
function isDecoded(
  failure: TransportFailure | undefined,
  headers: Readonly<Record<string, string>>,
): boolean {
  return failure === undefined || failure.kind === 'message' || headers['content-encoding'] === undefined;
}
