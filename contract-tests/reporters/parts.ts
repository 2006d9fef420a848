import type { WriteStream } from 'node:tty';
import { countOf } from '../../common/text/count-of.ts';
import type { Report, Result } from '../runner/report.ts';
import { printReason } from './print-summary.ts';

export interface PrintOptions {
  readonly isVerbose?: boolean;
  readonly stream?: WriteStream;
}

export const looks = {
  conforms: { look: 'pass', mark: '✓', color: 'green' },
  'conforms in part': { look: 'warn', mark: '◐', color: 'yellow' },
  'does not conform': { look: 'fail', mark: '✗', color: 'red' },
  'no verdict': { look: 'warn', mark: '?', color: 'yellow' },
} as const;

/** Titles of the clauses that were not tested, by their level. */
export const titlesOfUntested = {
  required: 'Not tested',
  recommended: 'Recommendations without a result',
} as const;

export type ShownExchange = ReturnType<typeof listExchanges>[number];

/** Lists the exchanges that led to a failure, the one that shows it, and others with the same fault. */
export function listExchanges({ before = [], evidence, more = [] }: Result) {
  if (evidence === undefined) return [];
  return [...before, evidence, ...more].map((one) => {
    const outcome = one.status === undefined ? 'no answer' : String(one.status);
    return {
      request: one.line,
      outcome,
      shows: describeShows(one),
      time: before.includes(one) ? `${printDuration(evidence.at - one.at)} before` : '',
      evidence: one,
    };
  });
}

/** Describes what a response shows, to be read after its status. */
function describeShows({ listed, shows }: NonNullable<Result['evidence']>): string {
  if (listed === undefined) return shows === '' ? '' : ` ${shows}`;
  const list = listed === 0 ? 'an empty list' : countOf(listed, 'animal');
  return shows === '' ? `, ${list}` : `, ${list}, among them ${shows}`;
}

/** Prints the ids that find a request in the logs and traces of a deployment. */
export function printTrace({ evidence }: Result): string[] {
  const { traceId, requestId } = evidence ?? {};
  const ids = [traceId && `trace ${traceId}`, requestId && `request id ${requestId}`].filter(Boolean);
  return ids.length === 0 ? [] : [ids.join(', ')];
}

/** Prints a time such as `2026-11-23 10:00:00 UTC`. @param iso in UTC */
export function printUtc(iso: string): string {
  return iso.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');
}

/** Prints milliseconds to three figures: from a second on as seconds, from two minutes on as minutes. */
export function printDuration(ms: number): string {
  const toFigures = (value: number) => Number(value.toPrecision(3));
  if (ms < 1000) return `${toFigures(ms)} ms`;
  return ms < 120_000 ? `${toFigures(ms / 1000)} s` : `${toFigures(ms / 60_000)} min`;
}

/** Prints the clauses that failed for the reason of a finding, each with its own values on one line. */
export function printAlso(followers: readonly Result[]): string[] {
  if (followers.length === 0) return [];
  const lines = followers.map((result) => `  ${result.clause.id}: ${printReason(result)}`);
  return [`also: ${countClauses(followers.length)}, perhaps for the same reason`, ...lines];
}

/** Lists all options of a run. */
export function listOptions(options: Report['options']): readonly string[] {
  const { categoryId, maxRate, headers = [], known, atLeast, only } = options;
  return [
    options.allowsWrites ? 'adds animals' : 'read-only',
    ...(only.length > 0 ? [`only ${only.join(', ')}`] : []),
    maxRate === undefined ? 'any rate' : `at most ${maxRate} requests a second`,
    `at most ${options.concurrency} requests at once`,
    `${printDuration(options.timeout)} for a response`,
    `${printDuration(options.deadline)} for the run`,
    `${printDuration(options.settle)} until a list has a new animal`,
    ...(categoryId === undefined ? [] : [`the category ${categoryId}`]),
    ...(headers.length > 0 ? [`the headers ${headers.join(', ')}`] : []),
    ...(options.insecure ? ['any certificate is trusted'] : []),
    ...(known === undefined ? [] : [`${known} accepted ${known === 1 ? 'failure' : 'failures'}`]),
    ...(options.strict ? ['strict'] : []),
    ...(atLeast === undefined ? [] : [`at least ${countOf(atLeast, 'clause')}`]),
  ];
}

/** Prints how much a clause has compared, such as `41 animals in 12 lists`. */
export function printCompared({ compared: { responses, lists, animals } }: Result): string {
  const place = responses === lists ? countOf(lists, 'list') : countOf(responses, 'response');
  return animals === 0 ? place : `${countOf(animals, 'animal')} in ${place}`;
}

export function listIds(results: readonly Result[]): string {
  return results.map(({ clause }) => clause.id).join(', ');
}

export function countClauses(count: number): string {
  return countOf(count, 'clause');
}
