import { readOptionFile } from '../common/cli/option-files.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import { clauses } from './clauses/clauses.ts';
import { identifyFailure, isSameFailure } from './failures/identify-failure.ts';
import { REPORT_VERSION, type Report, type Result } from './runner/report.ts';

const OPTION = '--last-failed';
const WRITE_ONE = 'Write one with --reporter json=<file>.';

/** What a JSON report says about the clauses that failed in an earlier run. */
export interface LastRun {
  /** The path of the report. */
  readonly file: string;
  readonly failed: readonly Result[];
  /** Ids of the clauses that failed, and of the clauses that sent the requests. None is all. */
  readonly ids: readonly string[];
}

/** Reads the report of an earlier run. @throws UsageError if it is none, or if this run may not do what that run did */
export async function readLastRun(file: string, allowsWrites: boolean): Promise<LastRun> {
  const { version, outcomes, options } = parseReport(await readOptionFile(file, OPTION));
  if (version === undefined || !Array.isArray(outcomes))
    throw new UsageError(`${OPTION}: ${file} is not a report. ${WRITE_ONE}`);
  if (version !== REPORT_VERSION)
    throw new UsageError(
      `${OPTION}: ${file} is a report of version ${version}, not ${REPORT_VERSION}. ${WRITE_ONE}`,
    );
  if (options?.allowsWrites && !allowsWrites)
    throw new UsageError(`${OPTION}: ${file} is of a run with --allow-writes. Give this option too.`);
  const failed = outcomes.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  const ids = failed.flatMap(({ clause, sentBy = clause.id }) => [clause.id, sentBy]);
  const unknown = ids.find((id) => clauses.every((clause) => clause.id !== id));
  if (unknown !== undefined) throw new UsageError(`${OPTION}: ${file} has the unknown clause ${unknown}`);
  return { file, failed, ids };
}

/** Returns the report in a file; without a version it is none. */
function parseReport(text: string): Partial<Report> {
  try {
    const report = JSON.parse(text);
    return Number.isInteger(report?.version) ? report : {};
  } catch {
    return {};
  }
}

type Change = 'fixed' | 'with the same failure' | 'with another failure' | 'without a result';

/** Prints how the clauses that failed have changed, such as `Since report.json: 2 clauses fixed, 1 with the same failure.` */
export function printChanges({ file, failed }: LastRun, { outcomes }: Pick<Report, 'outcomes'>): string {
  const changes = failed.map((before) =>
    findChange(
      before,
      outcomes.find(({ clause }) => clause.id === before.clause.id),
    ),
  );
  const counts = [...Map.groupBy(changes, (change) => change)].map(([change, some], index) => {
    const noun = index > 0 ? '' : some.length === 1 ? ' clause' : ' clauses';
    return `${some.length}${noun} ${change}`;
  });
  return `Since ${file}: ${counts.join(', ')}.`;
}

function findChange(before: Result, now: Result | undefined): Change {
  if (now?.verdict === 'passed') return 'fixed';
  if (now?.verdict !== 'failed') return 'without a result';
  const [old, current] = [before, now].map(({ failures = [] }) => failures.map(identifyFailure));
  const isSame = current?.every((one) => old?.some((other) => isSameFailure(one, other)));
  return isSame ? 'with the same failure' : 'with another failure';
}
