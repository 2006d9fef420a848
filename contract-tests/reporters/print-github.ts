import {
  groupUntested,
  isFailure,
  listFollowers,
  listHeadlines,
  printReason,
  printSummary,
  type Report,
  type Result,
} from '../runner/report.ts';
import { countClauses, listIds, type PrintOptions, printAlso } from './parts.ts';

/** Prints annotations of GitHub Actions: one for each headline that an earlier report does not have. */
export function printGithub(report: Report, { baseline }: PrintOptions): string {
  const before = new Map(baseline?.outcomes.map(({ clause, verdict }) => [clause.id, verdict]));
  const outcomes = report.outcomes.filter(({ clause, verdict }) => before.get(clause.id) !== verdict);
  const { reason } = report;
  const title = report.verdict === 'no verdict' ? report.verdict : 'the run ended early';
  const lines = [
    ...(reason === undefined ? [] : [printCommand('error', title, reason)]),
    ...listHeadlines({ outcomes }).map((result) => printFailure(result, listFollowers({ outcomes }, result))),
    ...outcomes.filter(({ verdict }) => verdict === 'error').map(printError),
    ...groupUntested({ outcomes }).flatMap(printUntested),
    printSummary(report),
  ];
  return `${lines.join('\n')}\n`;
}

function printFailure(result: Result, followers: readonly Result[]): string {
  const { clause, evidence, script = evidence?.curl ?? '' } = result;
  const lines = [clause.sentence, printReason(result), script, ...printAlso(followers)];
  return printCommand(isFailure(result) ? 'error' : 'warning', clause.id, lines.join('\n'));
}

function printError({ clause, reason = '' }: Result): string {
  return printCommand('error', `${clause.id}: a fault of the suite`, reason);
}

/** Prints one notice for each reason, because the runner shows at most ten of a kind. */
function printUntested({ meaning, reasons }: ReturnType<typeof groupUntested>[number]): string[] {
  return [...reasons].map(([reason, results]) =>
    printCommand('notice', `${meaning}: ${countClauses(results.length)}`, `${reason}: ${listIds(results)}`),
  );
}

function printCommand(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const escapeData = (text: string) =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::${kind} title=${escapeData(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escapeData(message)}`;
}
