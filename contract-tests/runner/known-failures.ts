import * as v from 'valibot';
import { parse } from 'yaml';
import { readOptionFile } from '../../common/cli/option-files.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { readMembers } from '../../common/read-members.ts';
import { type GivenMembers, list, mustBe, oneOf, text, time } from '../../common/schemas.ts';
import { inWords } from '../../common/text/in-words.ts';
import { kindsOfResponses } from '../failures/failure.ts';
import {
  type FailureIdentity,
  faultKinds,
  identifyFailure,
  isFailureAs,
  isSameFailure,
  listDistinct,
} from '../failures/identify-failure.ts';
import { clauses } from '../rules/clauses.ts';
import { isFailure, isKnown, type NamedEntry, type NewEntry, type Report, type Result } from './report.ts';

const A_DATE = 'a date such as 2027-01-31';

const A_RESPONSE = `a status, or ${inWords(kindsOfResponses)}`;

const failureSchemas = {
  kind: oneOf(faultKinds),
  operation: text('an operation such as GET /pets'),
  member: v.optional(text('the name of a member')),
  expected: v.optional(v.union([v.number(), v.picklist(kindsOfResponses)], mustBe(A_RESPONSE))),
  status: v.union([v.number(), v.literal('none')], mustBe('an HTTP status, or none')),
  detail: v.optional(text('a text')),
};

const clauseId = v.custom<string>(
  (id) => clauses.some((clause) => clause.id === id),
  mustBe('the id of a clause'),
);

const entrySchemas = {
  clause: v.optional(clauseId),
  failure: v.optional(
    v.custom<object>((value) => typeof value === 'object' && value !== null, mustBe('an object')),
  ),
  reason: text('a sentence', /\S/),
  /** Last day of the entry. */
  until: v.optional(v.custom<string>((day) => `${day}`.length === 10 && v.is(time, day), mustBe(A_DATE))),
  issue: v.optional(v.union([v.string(), v.number()], mustBe('a link or a number'))),
  /** Clauses that have shown the failure. */
  seenIn: v.optional(list(clauseId, 'the id of a clause')),
};

/**
 * An accepted failure. Without `failure`, any failure of the clause matches. Without `clause`, the failure matches in every clause,
 * and what it does not say may be anything.
 */
export type KnownFailure = Omit<GivenMembers<typeof entrySchemas>, 'failure' | 'seenIn'> & {
  readonly failure?: FailureIdentity | undefined;
  readonly seenIn?: readonly string[];
};

/** Reads a file of known failures, an array in YAML. @throws UsageError naming the entry that is wrong */
export async function readKnown(file: string, option: string): Promise<readonly KnownFailure[]> {
  const source = await readOptionFile(file, option);
  try {
    const entries: unknown = parse(source) ?? [];
    if (!Array.isArray(entries))
      throw new Error('It must be a list of entries, each with a reason and a clause or a failure.');
    return entries.map(readEntry);
  } catch (error) {
    throw new UsageError(`${option}: ${file} cannot be used. ${(error as Error).message}`);
  }
}

function readEntry(entry: unknown, index: number): KnownFailure {
  const { failure, ...others } = readMembers(`Entry ${index + 1}`, entry, entrySchemas);
  if (failure === undefined && others.clause === undefined)
    throw new Error(`Entry ${index + 1} must have a clause, a failure or both.`);
  if (failure === undefined) return others;
  const identity = readMembers(`The failure of entry ${index + 1}`, failure, failureSchemas);
  return { ...others, failure: identity };
}

/** The reason of a new entry, until whoever accepts the failure has replaced it. */
const TO_EXPLAIN = 'To be explained';

/** Marks a failure that the entries know. An entry after its last day no longer counts. */
export function markKnown(result: Result, entries: readonly KnownFailure[], now: Date): Result {
  if (result.verdict !== 'failed') return result;
  const isPast = ({ until }: KnownFailure) => until !== undefined && now.toISOString().slice(0, 10) > until;
  const found = listIdentities(result).map((identity) => {
    const matching = entries.filter((entry) => isOf(entry, result, identity));
    return matching.find((entry) => !isPast(entry)) ?? matching[0];
  });
  const [first] = found;
  // One failure that no entry knows is a new failure of the clause.
  if (first === undefined || found.includes(undefined)) return result;
  const entry = found.find((one) => one !== undefined && isPast(one)) ?? first;
  const { reason, until, issue } = entry;
  const more = {
    ...(until && { until }),
    ...(issue && { issue: `${issue}` }),
    ...(reason === TO_EXPLAIN && ({ isUnexplained: true } as const)),
  };
  return { ...result, known: { reason, ...more, isExpired: isPast(entry) } };
}

function listIdentities({ failures = [] }: Result): readonly FailureIdentity[] {
  return listDistinct(failures).map(identifyFailure);
}

function isOf({ clause, failure }: KnownFailure, result: Result, identity: FailureIdentity): boolean {
  if (clause === undefined) return failure !== undefined && isFailureAs(failure, identity);
  return clause === result.clause.id && (failure === undefined || isSameFailure(failure, identity));
}

type Tested = Pick<Report, 'outcomes' | 'leftOut'>;

/** Lists the entries that match nothing any more, by their clauses or their failures. */
export function listFixed(report: Tested, entries: readonly KnownFailure[]): readonly NamedEntry[] {
  return nameEntries(entries.filter((entry) => isFixed(entry, report)));
}

/** Lists the entries of failures that no clause shows, although clauses fail that might: an entry may have a wrong member. */
export function listUnmatched(report: Tested, entries: readonly KnownFailure[]): readonly NamedEntry[] {
  return nameEntries(
    entries.filter(
      (entry) => entry.clause === undefined && !isFixed(entry, report) && isAbsent(entry, report),
    ),
  );
}

function nameEntries(entries: readonly KnownFailure[]): readonly NamedEntry[] {
  const names = entries.map(({ clause, failure }) => (clause === undefined ? { failure } : { clause }));
  const byName = new Map(names.map((name) => [JSON.stringify(name), name]));
  return [...byName.values()];
}

/**
 * Returns whether an entry matches nothing any more: the clauses that showed its failure have passed, or have only failures that other
 * entries accept. If the entry does not say which clauses these are, any required clause might show the failure.
 */
function isFixed(entry: KnownFailure, { outcomes, leftOut }: Tested): boolean {
  const { clause, failure, seenIn } = entry;
  const isReadOnly = outcomes.some(({ cause }) => cause === 'read-only');
  // A clause also passes if the run did not send the request that it failed for.
  if (leftOut.length > 0 || (isReadOnly && failure?.operation === 'POST /pets')) return false;
  const ids = clause === undefined ? seenIn : [clause];
  const isClear = (id: string) =>
    outcomes.some((one) => one.clause.id === id && (one.verdict === 'passed' || isKnown(one)));
  if (ids !== undefined) return !isShown(entry, outcomes) && ids.every(isClear);
  return isAbsent(entry, { outcomes, leftOut }) && !outcomes.some(isFailure);
}

function isShown(entry: KnownFailure, outcomes: readonly Result[]): boolean {
  return outcomes.some((result) => listIdentities(result).some((one) => isOf(entry, result, one)));
}

/** Returns whether no clause shows the failure of an entry, and those were tested that might. */
function isAbsent(entry: KnownFailure, { outcomes, leftOut }: Tested): boolean {
  if (isShown(entry, outcomes)) return false;
  const { seenIn } = entry;
  const isGap = ({ clause: { id, level }, verdict }: Result) =>
    verdict === 'not tested' && (seenIn?.includes(id) ?? level === 'required');
  const isLeftOut = leftOut.some((id) => seenIn?.includes(id) ?? true);
  return !isLeftOut && !outcomes.some(isGap);
}

/** A failure of a clause that no entry accepts. */
interface NewFailure {
  readonly result: Result;
  readonly failure: FailureIdentity;
}

/**
 * Creates entries for the failures that no entry accepts, to paste into the file: one for each failure, in whatever clauses it is.
 * A status that is wrong for several requests is one failure.
 */
export function createEntries(
  { outcomes }: Pick<Report, 'outcomes'>,
  entries: readonly KnownFailure[],
): readonly NewEntry[] {
  const found = outcomes.filter(isFailure).flatMap((result): NewFailure[] =>
    listIdentities(result)
      .filter((failure) => !entries.some((entry) => isOf(entry, result, failure)))
      .map((failure) => ({ result, failure })),
  );
  const groups = Map.groupBy(found, ({ result, failure: { detail, ...failure } }) => {
    const isOfRequests = failure.kind === 'status';
    return JSON.stringify([result.follows ?? result.clause.id, failure, isOfRequests ? undefined : detail]);
  });
  return [...groups.values()].flatMap(createEntry);
}

function createEntry(same: readonly NewFailure[]): NewEntry[] {
  const [first] = same;
  if (first === undefined) return [];
  const { detail, ...failure } = first.failure;
  if (same.length === 1)
    return [{ clause: first.result.clause.id, failure: first.failure, reason: TO_EXPLAIN }];
  const isSameDetail = same.every((one) => one.failure.detail === detail);
  const ids = same.map(({ result }) => result.clause.id);
  return [
    {
      failure: { ...failure, ...(isSameDetail && detail !== undefined && { detail }) },
      reason: TO_EXPLAIN,
      seenIn: [...new Set(ids)],
    },
  ];
}
