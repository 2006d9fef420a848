import type { WriteStream } from 'node:tty';
import type { Report } from '../report.ts';

/** How a report is to be printed; each reporter takes what it has a use for. */
export interface PrintOptions {
  /** Whether a report for the terminal has the passed clauses too. @default false */
  readonly isVerbose?: boolean;
  /** An earlier report: what failed then is known. */
  readonly baseline?: Report | undefined;
  /** Where it goes: colours are for terminals. @default a place without colours */
  readonly stream?: WriteStream;
}
