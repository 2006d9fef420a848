import type { LogFormat } from '../../common/cli/log-format.ts';
import type { Paint } from '../../common/text/paint.ts';
import type { ExchangeSummary } from '../exchange.ts';
import type { Finding, UpstreamFailure } from './findings-record.ts';
import { groupFindings } from './group-findings.ts';
import { printFailure, printViolation } from './print-findings.ts';

/** When the log has again what an earlier exchange has shown: when its count has doubled, always or never. */
type Repeats = 'doubled' | 'all' | 'none';

interface LogConfig {
  readonly log: Exclude<LogFormat, 'silent'>;
  readonly paint: Paint;
  /** Gets each line with its line break. */
  readonly write: (line: string) => void;
  /** Programs that read JSON get all. */
  readonly repeats: Repeats;
}

/** Returns the next power of two, at which a count is logged again. */
function findNextCount(count: number): number {
  const bits = 32;
  return 2 ** (bits - Math.clz32(count));
}

/** Creates the log of violations: a line for each rule and place of an exchange, and for an upstream that gave no response. */
export function createLog({ log, paint, write, repeats: given }: LogConfig) {
  const repeats = log === 'json' ? 'all' : given;
  const isShown = (earlier: number, count: number) => {
    if (earlier === 0 || repeats === 'all') return true;
    return repeats === 'doubled' && findNextCount(earlier) <= count;
  };
  const printNext = (count: number) =>
    repeats === 'doubled' ? `, next line at ${findNextCount(count)}` : '';
  return (
    time: Date,
    summary: ExchangeSummary,
    found: readonly Finding[],
    failure: UpstreamFailure | undefined,
  ) => {
    const shown = groupFindings(found).filter(({ earlier, count }) => isShown(earlier, count));
    for (const { earlier: _, ...finding } of shown)
      write(`${printViolation(log, time, finding, summary, paint, printNext(finding.count))}\n`);
    if (failure !== undefined && isShown(failure.count - 1, failure.count))
      write(`${printFailure(log, time, failure, summary, printNext(failure.count))}\n`);
  };
}
