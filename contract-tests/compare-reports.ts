import { isDeepStrictEqual } from 'node:util';
import { countOf } from '../common/text/count-of.ts';
import { identifyFailure } from './failures/identify-failure.ts';
import { describeResult } from './reporters/describe-report.ts';
import { printReason } from './reporters/print-summary.ts';
import { isFailure, type Report, type Result } from './runner/report.ts';

/** What has changed from one run to the next. */
interface Comparison {
  /** Failures of required clauses that the first run has not shown, and that no entry of --known accepts. */
  readonly failing: readonly Result[];
  /** Recommendations that the first run has not shown as not met. */
  readonly unmet: readonly Result[];
  /** Clauses that failed in the first run and passed in the second. */
  readonly fixed: readonly Result[];
  /** Clauses that the first run tested and the second did not, with their reasons. */
  readonly lost: readonly { readonly clause: Result['clause']; readonly reason: string }[];
  /** How many animals the lists of one deployment have shown in each run, if the numbers differ. */
  readonly animals?: { readonly before: number; readonly now: number };
}

/** The clause that compares every list. */
const EVERY_LIST = 'list-pets/success';

const isTested = ({ verdict }: Result) => verdict === 'passed' || verdict === 'failed';

/** Compares two reports. A required clause that fails in another way than before is a new failure, and only that way is new. */
export function compareReports(first: Report, second: Report): Comparison {
  const find = ({ outcomes }: Report, id: string) => outcomes.find(({ clause }) => clause.id === id);
  const listNew = ({ clause, failures = [] }: Result) => {
    const before = (find(first, clause.id)?.failures ?? []).map(identifyFailure);
    return failures.filter((one) => !before.some((known) => isDeepStrictEqual(known, identifyFailure(one))));
  };
  const [before, now] = [first, second].map((report) => find(report, EVERY_LIST)?.compared.animals);
  const areOfOne = first.baseUrl === second.baseUrl && before !== undefined && now !== undefined;
  const hasPassed = ({ clause }: Result) => find(second, clause.id)?.verdict === 'passed';
  const failed = second.outcomes.filter(({ verdict, known }) => verdict === 'failed' && !known);
  return {
    failing: failed.filter(isFailure).flatMap((one) => {
      const failures = listNew(one);
      // How often is said of the first failure.
      const { times: _, ...others } = one;
      if (failures.length === 0) return [];
      return [failures[0] === one.failures?.[0] ? { ...one, failures } : { ...others, failures }];
    }),
    unmet: failed.filter((one) => !isFailure(one) && find(first, one.clause.id)?.verdict !== 'failed'),
    fixed: first.outcomes.filter((one) => one.verdict === 'failed' && hasPassed(one)),
    lost: first.outcomes.filter(isTested).flatMap(({ clause }) => {
      const now = find(second, clause.id);
      if (now !== undefined && isTested(now)) return [];
      return [{ clause, reason: now?.reason ?? second.reason ?? 'left out by --only' }];
    }),
    ...(areOfOne && before !== now && { animals: { before, now } }),
  };
}

/** Returns whether a required clause has a new failure or is no longer tested, or most animals are gone. */
export function isWorse({ failing, lost, animals }: Comparison): boolean {
  return (
    failing.length > 0 ||
    lost.some(({ clause }) => clause.level === 'required') ||
    (animals !== undefined && areGone(animals))
  );
}

/** Returns whether a run has seen less than half of the animals: every clause may still pass with those that are left. */
function areGone({ before, now }: NonNullable<Comparison['animals']>): boolean {
  return now * 2 < before;
}

const titles = {
  'new failure': 'New failures',
  'no longer met': 'Recommendations no longer met',
  fixed: 'Fixed',
  'no longer tested': 'No longer tested',
} as const;

/** A clause whose result has changed, for people or as a line of JSON. */
interface Change {
  readonly kind: keyof typeof titles;
  readonly clause: string;
  readonly level: Result['clause']['level'];
  readonly text: string;
}

function listChanges({ failing, unmet, fixed, lost }: Comparison): readonly Change[] {
  const toChange = (kind: Change['kind'], { id, level }: Result['clause'], text: string) => ({
    kind,
    clause: id,
    level,
    text,
  });
  return [
    ...failing.map((one) => toChange('new failure', one.clause, printReason(describeResult(one)))),
    ...unmet.map((one) => toChange('no longer met', one.clause, printReason(describeResult(one)))),
    ...fixed.map(({ clause }) => toChange('fixed', clause, clause.sentence)),
    ...lost.map(({ clause, reason }) => toChange('no longer tested', clause, reason)),
  ];
}

/** Prints what has changed, with the counts in the first line. @param forAgent prints each clause as a line of JSON */
export function printComparison(
  first: Report,
  second: Report,
  comparison: Comparison,
  forAgent: boolean,
): string {
  const { failing, fixed, lost, animals } = comparison;
  const subject =
    first.baseUrl === second.baseUrl ? second.baseUrl : `${first.baseUrl} and ${second.baseUrl}`;
  const counts = `${countOf(failing.length, 'new failure')}, ${fixed.length} fixed, ${lost.length} no longer tested`;
  const versions = first.suite === second.suite ? '' : ` The suite was ${first.suite}, then ${second.suite}.`;
  const isUntried = second.verdict === 'no verdict';
  // They all have the reason of the run.
  const changes = listChanges(isUntried ? { ...comparison, lost: [] } : comparison);
  const byKind = Map.groupBy(changes, ({ kind }) => kind);
  const lines = [
    `${subject}, from ${first.startedAt} to ${second.startedAt}: ${counts}.${versions}`,
    ...(isUntried ? [`The second run has no verdict: ${second.reason}`] : []),
    ...(animals ? [printAnimals(animals)] : []),
    ...(forAgent
      ? changes.map((change) => JSON.stringify(change))
      : [...byKind].flatMap(([kind, some]) => [
          `\n${titles[kind]}`,
          ...some.map(({ clause, text }) => `  ${clause}: ${text}`),
        ])),
  ];
  return `${lines.join('\n')}\n`;
}

function printAnimals(animals: NonNullable<Comparison['animals']>): string {
  const { before, now } = animals;
  const gone = areGone(animals) ? ' Most animals are gone, or the key shows others.' : '';
  return `The lists show ${countOf(now, 'animal')}, before ${before}.${gone}`;
}
