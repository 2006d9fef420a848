import { choiceNames, nameInWords } from '../../common/behaviour/choices.ts';
import { commandName } from '../../common/cli/command-name.ts';
import { describeFileError } from '../../common/cli/option-files.ts';
import { replaceFile } from '../../common/cli/replace-file.ts';
import { type Learned, printLearned } from '../../common/learn/learn.ts';
import type { Exchange } from '../exchange.ts';
import { learnTraffic } from './learn-traffic.ts';
import { TrafficRecord } from './traffic-record.ts';

/** Time between two writes of the file while the traffic goes on, in ms. */
const WRITE_INTERVAL = 60_000;

/** Longest line of unknown choices, in characters. */
const LONGEST_LINE = 120;

/** Learns from exchanges, and writes what it learned to a file. */
export class Learner {
  readonly #file: string;
  readonly #record = new TrafficRecord();
  readonly #timer: NodeJS.Timeout;
  #written = 0;

  /** @param interval ms between two writes while the traffic goes on */
  constructor(file: string, interval: number = WRITE_INTERVAL) {
    this.#file = file;
    // A process that is killed has lost no more than what came since.
    this.#timer = setInterval(() => this.#writeMore(), interval).unref();
  }

  /** Adds an exchange. @param at arrival of its request, in milliseconds since 1970 @param ms until its response was there */
  add(exchange: Exchange, at: number, ms: number): void {
    this.#record.add(exchange, at, ms);
  }

  /** Writes the file for the last time. @returns what to print, and why the file could not be written */
  end(): { readonly text: string; readonly failure: string | undefined } {
    clearInterval(this.#timer);
    const learned = learnTraffic(this.#record);
    const count = this.#record.count.toLocaleString('en-US');
    if (learned.observed.length === 0) {
      const text = `learned nothing from ${count} exchanges; ${this.#file} was not written\n`;
      return { text, failure: undefined };
    }
    try {
      this.#write(learned);
    } catch (error) {
      const failure = `the learned behaviour could not be written to ${this.#file}: ${describeFileError(error)}`;
      return { text: '', failure };
    }
    const known = choiceNames.filter((name) => learned.observed.includes(name));
    const choices = `${known.length} of ${choiceNames.length} choices`;
    const text = [
      `learned ${choices} from ${count} exchanges: ${this.#file}`,
      ...printUnknown(learned),
      `start a mock like it: ${commandName('mock')} --behaviour ${this.#file}`,
    ];
    return { text: `${text.join('\n')}\n`, failure: undefined };
  }

  #writeMore(): void {
    const { count } = this.#record;
    if (count === this.#written) return;
    this.#written = count;
    const learned = learnTraffic(this.#record);
    try {
      if (learned.observed.length > 0) this.#write(learned);
    } catch {
      // The end says why.
    }
  }

  #write(learned: Learned): void {
    replaceFile(this.#file, printLearned(learned));
  }
}

/** Prints the names of the unknown choices, whose reasons are in the file. */
function printUnknown({ observed }: Learned): string[] {
  const unknown = choiceNames.filter((name) => !observed.includes(name)).map(nameInWords);
  if (unknown.length === 0) return [];
  const lines = ['unknown:'];
  for (const [index, name] of unknown.entries()) {
    const word = index === unknown.length - 1 ? name : `${name},`;
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= LONGEST_LINE) lines[lines.length - 1] = longer;
    else lines.push(`  ${word}`);
  }
  return lines;
}
