import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { parse, stringify } from 'yaml';
import { readOptionFile } from '../../common/cli/option-files.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { readMembers } from '../../common/read-members.ts';
import { type GivenMembers, text } from '../../common/schemas.ts';
import { isFailure, type Report, type Result } from './report.ts';

const A_DATE = 'a date such as 2027-01-31';

const schemas = {
  clause: text('the id of a clause'),
  reason: text('a sentence', /\S/),
  /** Last day of the entry. */
  until: v.optional(text(A_DATE, /^\d{4}-\d\d-\d\d$/)),
  issue: v.optional(text('a link or a number')),
  expected: v.optional(text('a string')),
  received: v.optional(text('a string')),
};

/** An accepted failure. `expected` and `received` are masked texts of the failure; without them, any failure of the clause matches. */
export type KnownFailure = GivenMembers<typeof schemas>;

/**
 * Reads a file of known failures, an array in YAML. @param isNew allows a file that does not exist.
 * @throws UsageError naming the entry that is wrong
 */
export async function readKnown(file: string, option: string, isNew = false): Promise<KnownFailure[]> {
  if (isNew && !existsSync(file)) return [];
  const source = await readOptionFile(file, option);
  try {
    const entries: unknown = parse(source) ?? [];
    if (!Array.isArray(entries)) throw new Error('It must be a list of entries with clause and reason.');
    return entries.map((entry, index) => readMembers(`Entry ${index + 1}`, entry, schemas));
  } catch (error) {
    throw new UsageError(`${option}: ${file} cannot be used. ${(error as Error).message}`);
  }
}

/** Marks a failure that the entries know. An entry after its last day no longer counts. */
export function markKnown(result: Result, entries: readonly KnownFailure[], now: Date): Result {
  if (result.verdict !== 'failed') return result;
  const failure = toEntry(result);
  const entry = entries.find(
    ({ clause, expected = failure.expected, received = failure.received }) =>
      clause === failure.clause && expected === failure.expected && received === failure.received,
  );
  if (entry === undefined) return result;
  const { reason, until, issue } = entry;
  const isExpired = until !== undefined && now.toISOString().slice(0, 10) > until;
  return { ...result, known: { reason, ...(until && { until }), ...(issue && { issue }), isExpired } };
}

/** Lists the clauses of the entries that passed. */
export function listFixed({ outcomes }: Pick<Report, 'outcomes'>, entries: readonly KnownFailure[]) {
  const passed = outcomes.filter(({ verdict }) => verdict === 'passed').map(({ clause }) => clause.id);
  return entries.map(({ clause }) => clause).filter((clause) => passed.includes(clause));
}

/** Prints the entries for the next run: fixed ones are left out, and new failures are added. */
export function printKnown(entries: readonly KnownFailure[], { outcomes }: Report): string {
  const byClause = new Map(outcomes.map((result) => [result.clause.id, result]));
  const kept = entries.flatMap((entry) => {
    const result = byClause.get(entry.clause);
    if (result?.verdict === 'passed') return [];
    return [result?.verdict === 'failed' ? { ...entry, ...toEntry(result) } : entry];
  });
  const known = new Set(entries.map(({ clause }) => clause));
  const added = outcomes
    .filter((result) => isFailure(result) && !known.has(result.clause.id))
    .map((result) => ({ reason: 'To be explained', ...toEntry(result) }));
  return stringify([...kept, ...added]);
}

function toEntry({ clause, expected = '', actual = '' }: Result) {
  return { clause: clause.id, expected: mask(expected), received: mask(actual) };
}

/** Masks what differs from run to run: digits, UUIDs and the names of the run. */
function mask(given: string): string {
  return given
    .replaceAll(/contract-test [\w-]+\.\d+/g, 'contract-test …')
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/gi, '#')
    .replaceAll(/\d+/g, '#');
}
