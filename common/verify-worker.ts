/** What a thread of the contract suite is started with. */
export interface VerifyWorkerOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly allowWrites: boolean;
  /** Trusts any certificate. @default false */
  readonly insecure?: boolean;
  /** The clauses to try: their ids, or what these begin with. */
  readonly only: readonly string[];
}

/** What became of a clause. */
export interface ClauseVerdict {
  readonly id: string;
  readonly heading: string;
  readonly sentence: string;
  readonly level: 'required' | 'advised';
  readonly verdict: 'passed' | 'failed' | 'skipped' | 'error';
  /** What was got instead of what, or why it was skipped. */
  readonly reason: string | undefined;
}

/** What the thread tells: each verdict as it comes, and then the report as a page, or why there is none. */
export type VerifyWorkerReport =
  | { readonly verdict: ClauseVerdict; readonly requests: number; readonly animalsAdded: number }
  | { readonly conclusion: string; readonly verdicts: readonly ClauseVerdict[]; readonly html: string }
  | { readonly failure: string };
