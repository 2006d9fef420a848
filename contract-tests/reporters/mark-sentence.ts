import { type Account, reasons } from '../rules/specification.ts';
import { isKnown, type Report, type Result } from '../runner/report.ts';

/** What a run says about a sentence of the specification. */
export const marks = {
  fails: { look: 'fail', sign: '✗' },
  'fails, known': { look: 'warn', sign: '!' },
  'not tested': { look: 'muted', sign: '–' },
  'conforms in part': { look: 'warn', sign: '◐' },
  'conforms, with excuses': { look: 'pass', sign: '✓' },
  conforms: { look: 'pass', sign: '✓' },
  'in openapi.yaml': { look: 'muted', sign: '=' },
  'cannot be tested': { look: 'muted', sign: '·' },
} as const;

export interface Marked {
  readonly mark: keyof typeof marks;
  /** Why, or how much. Empty if the mark says it. */
  readonly note: string;
  /** The results of the clauses that test the sentence, first those that decide about its mark. */
  readonly results: readonly Result[];
  /** Ids of the clauses that `--only` left out. */
  readonly leftOut: readonly string[];
}

/** Marks a sentence with what a run has found. */
export function markSentence(account: Account, { outcomes }: Pick<Report, 'outcomes'>): Marked {
  const none = { results: [], leftOut: [] };
  if ('leftOut' in account) return { ...none, mark: 'cannot be tested', note: reasons[account.leftOut] };
  if ('statedAt' in account) return { ...none, mark: 'in openapi.yaml', note: account.statedAt };
  const found = account.clauses.flatMap((id) => outcomes.filter(({ clause }) => clause.id === id));
  const leftOut = account.clauses.filter((id) => !found.some(({ clause }) => clause.id === id));
  const results = found.toSorted((one, other) => rankOf(one) - rankOf(other));
  return { ...decide(results, account.clauses.length), results, leftOut };
}

const isFailed = ({ verdict }: Result) => verdict === 'failed';
const isOpen = ({ verdict }: Result) => verdict === 'not tested' || verdict === 'error';

function rankOf(result: Result): number {
  if (isFailed(result)) return isKnown(result) ? 1 : 0;
  return isOpen(result) ? 2 : 3;
}

/** Decides about a sentence. @param results the one that says the most first. @param count number of clauses, those left out too */
function decide(results: readonly Result[], count: number): Pick<Marked, 'mark' | 'note'> {
  const [first] = results;
  if (first === undefined) return { mark: 'not tested', note: '--only left it out.' };
  if (isFailed(first))
    return { mark: isKnown(first) ? 'fails, known' : 'fails', note: first.known?.reason ?? '' };
  const passed = results.filter(({ verdict }) => verdict === 'passed');
  if (passed.length === 0) return { mark: 'not tested', note: first.reason ?? '' };
  if (passed.length < count)
    return { mark: 'conforms in part', note: `${passed.length} of ${count} clauses tested` };
  const excused = passed.reduce((sum, one) => sum + (one.excused ?? 0), 0);
  if (excused === 0) return { mark: 'conforms', note: '' };
  return {
    mark: 'conforms, with excuses',
    note: `excused ${excused === 1 ? 'once' : `${excused} times`}`,
  };
}
