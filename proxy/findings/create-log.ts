import type { LogFormat } from '../../common/cli/log-format.ts';
import type { Paint } from '../../common/text/paint.ts';
import type { ExchangeSummary } from '../exchange.ts';
import type { Finding, UpstreamFailure } from './findings-record.ts';
import { groupFindings } from './group-findings.ts';
import { LOGGED_ONCE, printFailure, printViolation, VIOLATIONS_EXPLAINED } from './print-findings.ts';

interface LogConfig {
  readonly log: Exclude<LogFormat, 'silent'>;
  readonly paint: Paint;
  /** Gets each line with its line break. */
  readonly write: (line: string) => void;
  /** Logs what an earlier exchange has shown again. Programs that read JSON get it always. */
  readonly logsRepeats: boolean;
  /** Explains the words of a line before the first one. */
  readonly explains: boolean;
}

/** Creates the log of violations: a line for each rule and place of an exchange, and for an upstream that gave no response. */
export function createLog({ log, paint, write, logsRepeats, explains }: LogConfig) {
  const isShown = (isFirst: boolean) => isFirst || logsRepeats || log === 'json';
  let isExplained = !explains || log === 'json';
  return (
    time: Date,
    summary: ExchangeSummary,
    found: readonly Finding[],
    failure: UpstreamFailure | undefined,
  ) => {
    const shown = groupFindings(found).filter(({ isFirst }) => isShown(isFirst));
    if (shown.length > 0 && !isExplained) {
      isExplained = true;
      write(`${VIOLATIONS_EXPLAINED}${logsRepeats ? '' : LOGGED_ONCE}\n`);
    }
    for (const { isFirst: _, ...finding } of shown)
      write(`${printViolation(log, time, finding, summary, paint)}\n`);
    if (failure !== undefined && isShown(failure.count === 1))
      write(`${printFailure(log, time, failure, summary)}\n`);
  };
}
