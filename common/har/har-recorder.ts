import { describeFileError, expectPath } from '../cli/option-files.ts';
import { StreamFile } from '../cli/stream-file.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { Keys } from '../text/redact.ts';
import { createHarEntry, type SentExchange } from './har-entry.ts';
import { KeyNames } from './key-names.ts';

/** The program that writes a HAR file. Source: HAR 1.2, creator */
interface HarCreator {
  readonly name: string;
  readonly version: string;
}

/** Paths of stdout and stderr. */
const OWN_OUTPUT = /^\/(?:dev\/(?:stdout|stderr|fd\/[12])|proc\/self\/fd\/[12])$/;

/** Writes exchanges to a HAR file, each of them at once. */
export class HarRecorder {
  readonly #file: string;
  readonly #stream: StreamFile;
  readonly #names = new KeyNames();
  #isEmpty = true;
  #failure: string | undefined;

  /** @throws UsageError if the file of the option `--har` cannot be written */
  constructor(file: string, creator: HarCreator) {
    this.#file = file;
    expectPath(file, '--har');
    // A summary or a log in the middle of the file would break it.
    if (OWN_OUTPUT.test(file)) throw new UsageError(`--har: ${file} has other output too. Name a file.`);
    try {
      this.#stream = new StreamFile(file);
    } catch (error) {
      throw new UsageError(`--har: ${file} could not be written: ${describeFileError(error)}`);
    }
    this.#write(`{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`);
  }

  /** Writes an exchange without keys. After a failure it does nothing, because a part of the traffic would pass for all of it. */
  add(exchange: SentExchange, keys: Keys): void {
    const entry = createHarEntry(exchange, keys, this.#names);
    this.#write(`${this.#isEmpty ? '' : ','}\n${JSON.stringify(entry)}`);
    this.#isEmpty = false;
  }

  /** Completes the file, which replaces an earlier one. @returns why it could not be written; undefined if it was */
  end(): string | undefined {
    this.#write('\n]}}\n');
    this.#try(() => this.#stream.end());
    return this.#failure;
  }

  /** Leaves an earlier file as it was. */
  discard(): void {
    if (this.#failure === undefined) this.#stream.discard();
  }

  #write(text: string): void {
    this.#try(() => this.#stream.write(text));
  }

  #try(write: () => void): void {
    if (this.#failure !== undefined) return;
    try {
      write();
    } catch (error) {
      this.#failure = `the HAR file could not be written to ${this.#file}: ${describeFileError(error)}`;
      this.#stream.discard();
    }
  }
}
