import type { Report, Result } from '../report.ts';

/** An exchange in a few words, with all that is known of it. */
export interface ShownExchange {
  /** As `GET /pets?limit=5`. */
  readonly request: string;
  /** As `200` or `no answer`. */
  readonly outcome: string;
  /** When it was sent, as `12 ms before`; undefined for the one that shows the failure. */
  readonly time: string | undefined;
  readonly evidence: NonNullable<Result['evidence']>;
}

/** The longest request line that is shown, in characters. */
const LONGEST = 120;

/** The exchanges that led to a failure, in their order, the one that shows it, and others with the same fault. */
export function listExchanges(
  { before = [], evidence, more = [] }: Result,
  { baseUrl }: Report,
): ShownExchange[] {
  if (evidence === undefined) return [];
  return [...before, evidence, ...more].map((one) => {
    const [line = ''] = one.request.split('\n', 1);
    const request = line.replace(` ${baseUrl}/`, ' /');
    const [, status = 'no answer'] = /^HTTP (\d+)/.exec(one.response) ?? [];
    return {
      request: request.length > LONGEST ? `${request.slice(0, LONGEST)}…` : request,
      outcome: status,
      time: before.includes(one) ? `${printDuration(evidence.at - one.at)} before` : undefined,
      evidence: one,
    };
  });
}

/** Prints milliseconds to three figures: from a second on as seconds, from two minutes on as minutes. */
export function printDuration(ms: number): string {
  const toFigures = (value: number) => Number(value.toPrecision(3));
  if (ms < 1000) return `${toFigures(ms)} ms`;
  return ms < 120_000 ? `${toFigures(ms / 1000)} s` : `${toFigures(ms / 60_000)} min`;
}
