import type { Report, Result } from '../runner/report.ts';
import { isFailure, isKnown, listFindings, listFollowers } from '../runner/report.ts';
import { listExchanges, printTrace } from './parts.ts';
import {
  printCounts,
  printHeadline,
  printNewEntries,
  printNotes,
  printReason,
  printUntested,
} from './print-summary.ts';

/** Prints the verdict, then each finding as a line of JSON, then what the terminal gets in a line too. For coding agents. */
export function printAgent(report: Report): string {
  const faults = report.outcomes.filter(({ verdict }) => verdict === 'error');
  const lines = [
    printHeadline(report),
    ...listFindings(report).map((result) => JSON.stringify(toLine(result, report))),
    ...faults.map(({ clause, reason }) =>
      JSON.stringify({ kind: 'fault of the suite', clause: clause.id, reason }),
    ),
    ...printNotes(report),
    ...printUntested(report),
    ...printCounts(report),
    ...printNewEntries(report).split('\n').filter(Boolean),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function toLine(result: Result, report: Report) {
  const { clause, expected, received, probably, known, script, evidence } = result;
  const kind = isFailure(result) ? 'failure' : isKnown(result) ? 'known failure' : 'recommendation';
  const requests = listExchanges(result).map(
    ({ request, outcome, shows }) => `${request} → ${outcome}${shows}`,
  );
  const { id, sentence, quote } = clause;
  const curl = script ?? evidence?.curl;
  const also = listFollowers(report, result).map((one) => ({
    clause: one.clause.id,
    reason: printReason(one),
    curl: one.script ?? one.evidence?.curl,
  }));
  return {
    kind,
    clause: id,
    sentence,
    quote,
    expected,
    received,
    probably,
    known,
    requests,
    trace: printTrace(result)[0],
    curl,
    also,
  };
}
