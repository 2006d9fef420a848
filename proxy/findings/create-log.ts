import type { LogFormat } from '../../common/cli/log-format.ts';
import { printMessage } from '../../common/journal/violation.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import type { Paint } from '../../common/text/paint.ts';
import type { ExchangeSummary } from '../exchange.ts';
import type { Finding, MissingResponse } from './findings-record.ts';

/** Maximum number of characters of a path and its query in a line. */
const LONGEST_TARGET = 200;

/**
 * Creates the log of violations: a line for each rule and place of an exchange, and for an upstream that gave no response. Programs,
 * which read JSON, get all of them. People get what earlier exchanges have shown again only when its count has doubled.
 * @param write gets each line with its line break.
 */
export function createLog(log: LogFormat, paint: Paint, write: (line: string) => void) {
  const isShown = (count: number, earlier: number) =>
    log === 'json' || earlier === 0 || Math.floor(Math.log2(count)) > Math.floor(Math.log2(earlier));

  const printViolation = (time: string, finding: Finding, { method, target, entry }: ExchangeSummary) => {
    const { severity, operationId, place, rule, message, received, count } = finding;
    const url = target.slice(0, LONGEST_TARGET);
    const from = entry === undefined ? 'proxy' : undefined;
    if (log === 'json') {
      const subject = { time, from, violation: severity, operation: operationId };
      return toHarmless(
        JSON.stringify({ ...subject, place, rule, message, received, count, method, url, entry }),
      );
    }
    const inFile = entry === undefined ? '' : `log.entries[${entry}] `;
    const violation = toOneLine(`${operationId ?? '-'} ${place} ${rule}: ${printMessage(finding)}`);
    const request = toOneLine(`(${count} so far, ${inFile}${method} ${url})`);
    // Colours are control characters, so they are added to harmless text.
    const painted = paint(severity === 'error' ? 'red' : 'yellow', severity);
    return `${time.slice(11, 19)} ${from ? 'proxy ' : ''}violation ${painted} ${violation} ${request}`;
  };

  const printFailure = (time: string, failure: MissingResponse, { method, target }: ExchangeSummary) => {
    const { message, count } = failure;
    const url = target.slice(0, LONGEST_TARGET);
    if (log === 'json')
      return toHarmless(JSON.stringify({ time, from: 'proxy', failure: message, count, method, url }));
    return `${time.slice(11, 19)} ${toOneLine(`proxy no response: ${message} (${count} so far, ${method} ${url})`)}`;
  };

  return (summary: ExchangeSummary, found: readonly Finding[], failure?: MissingResponse): void => {
    if (log === 'silent') return;
    const time = new Date(summary.startedAt ?? Date.now()).toISOString();
    const groups = Map.groupBy(found, ({ severity, place, rule }) => JSON.stringify([severity, place, rule]));
    for (const [first, ...others] of groups.values()) {
      if (first === undefined) continue;
      const { count } = others.at(-1) ?? first;
      const earlier = first.count - 1 - (first.more ?? 0);
      if (isShown(count, earlier)) write(`${printViolation(time, { ...first, count }, summary)}\n`);
    }
    if (failure !== undefined && isShown(failure.count, failure.count - 1))
      write(`${printFailure(time, failure, summary)}\n`);
  };
}
