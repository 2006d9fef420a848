import type { LogFormat } from '../../common/cli/log-format.ts';
import { printMessage } from '../../common/journal/violation.ts';
import { toHarmless, toOneLine } from '../../common/text/harmless-text.ts';
import type { Paint } from '../../common/text/paint.ts';
import type { ExchangeSummary } from '../exchange.ts';
import type { Finding, UpstreamFailure } from './findings-record.ts';

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

/** Maximum number of characters of a path and its query in a line. */
const LONGEST_TARGET = 200;

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
  const printSoFar = (count: number) =>
    `${count} so far${repeats === 'doubled' ? `, next line at ${findNextCount(count)}` : ''}`;

  const printViolation = (
    time: string,
    finding: Finding,
    { method, target, recorded }: ExchangeSummary,
  ): string => {
    const { severity, operationId, place, rule, message, received, count } = finding;
    const url = target.slice(0, LONGEST_TARGET);
    if (log === 'json') {
      const from = recorded === undefined ? 'proxy' : undefined;
      const subject = { time, from, violation: severity, operation: operationId ?? null };
      return toHarmless(
        JSON.stringify({ ...subject, place, rule, message, received, count, method, url, recorded }),
      );
    }
    const [from, entry] = recorded === undefined ? ['proxy ', ''] : ['', `log.entries[${recorded.index}] `];
    const violation = toOneLine(`${operationId ?? '-'} ${place} ${rule}: ${printMessage(finding)}`);
    const request = toOneLine(`(${printSoFar(count)}, ${entry}${method} ${url})`);
    // Colours are control characters, so they are added to harmless text.
    const painted = paint(severity === 'error' ? 'red' : 'yellow', severity);
    return `${time.slice(11, 19)} ${from}violation ${painted} ${violation} ${request}`;
  };

  const printFailure = (
    time: string,
    { message, count }: UpstreamFailure,
    { method, target }: ExchangeSummary,
  ): string => {
    const url = target.slice(0, LONGEST_TARGET);
    if (log === 'json')
      return toHarmless(JSON.stringify({ time, from: 'proxy', failure: message, count, method, url }));
    return `${time.slice(11, 19)} ${toOneLine(`proxy no response: ${message} (${printSoFar(count)}, ${method} ${url})`)}`;
  };

  return (
    time: Date,
    summary: ExchangeSummary,
    found: readonly Finding[],
    failure: UpstreamFailure | undefined,
  ) => {
    const iso = time.toISOString();
    for (const { earlier, ...finding } of groupFindings(found))
      if (isShown(earlier, finding.count)) write(`${printViolation(iso, finding, summary)}\n`);
    if (failure !== undefined && isShown(failure.count - 1, failure.count))
      write(`${printFailure(iso, failure, summary)}\n`);
  };
}

/** A rule that an exchange breaks at one place, perhaps in many elements of a list. */
interface GroupedFinding extends Finding {
  /** How often earlier exchanges have broken the rule there. */
  readonly earlier: number;
}

/** Returns each rule and place of an exchange once: its first violation, with the count after its last one. */
function groupFindings(found: readonly Finding[]): GroupedFinding[] {
  const groups = Map.groupBy(found, ({ severity, place, rule }) => JSON.stringify([severity, place, rule]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const last = group.at(-1);
    if (first === undefined || last === undefined) return [];
    return [{ ...first, count: last.count, earlier: first.count - 1 - (first.more ?? 0) }];
  });
}
