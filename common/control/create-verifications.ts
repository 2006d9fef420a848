import { randomUUID } from 'node:crypto';
import { ApiError, describeValue } from '../api-error.ts';
import { readTime } from '../real-time.ts';
import { baseUrl } from '../value-kinds.ts';
import type { ClauseVerdict, VerifyWorkerOptions, VerifyWorkerReport } from '../verify-worker.ts';
import { readMembers } from './read-members.ts';

/** What to verify. */
export interface VerificationOptions {
  /** @default that of the service which is asked */
  readonly baseUrl?: string;
  /** @default a key of the service which is asked, for that alone */
  readonly apiKey?: string;
  /** Lets the suite add about 60 animals. @default false */
  readonly allowWrites?: boolean;
  /** The clauses to try: their ids, or what these begin with. @default all of them */
  readonly only?: readonly string[];
}

/** What is verified when nothing is said. */
export interface OwnTarget {
  readonly baseUrl: string;
  /** For this base URL alone; undefined when none is known. */
  readonly apiKey: string | undefined;
  /** Trusts any certificate. @default false */
  readonly insecure?: boolean;
}

/** A run of the contract suite. */
export interface Verification {
  readonly id: number;
  readonly baseUrl: string;
  readonly allowWrites: boolean;
  readonly startedAt: Date;
  /** What the suite concludes, or why it could not; undefined while it runs. */
  readonly conclusion: string | undefined;
  /** How often each verdict was given so far. */
  readonly counts: Readonly<Record<ClauseVerdict['verdict'], number>>;
  readonly requests: number;
  readonly animalsAdded: number;
}

/** Runs of the contract suite that somebody watches. All of them throw an ApiError. */
export interface Verifications {
  /** @throws `invalid_request`, also where the suite is not installed. */
  start(options: VerificationOptions, own: OwnTarget): Verification;
  /** The latest twenty, in their order. */
  list(): Verification[];
  /** One, with the verdicts so far. @throws `not_found` */
  get(id: number): Verification & { readonly verdicts: readonly ClauseVerdict[] };
  /** Its report as a page. @throws `not_found` while there is none */
  report(id: number): string;
  /** Makes a ticket that opens the report once, within a minute. @throws `not_found` while there is none */
  makeTicket(id: number): string;
  /** Whether a ticket opens the report of a run; from then on it does not. */
  takeTicket(id: number, ticket: string): boolean;
  /** Ends a run, which then reports what was tried. @throws `not_found` */
  stop(id: number): void;
  /** Ends all of them. */
  close(): void;
}

/** Starts the suite, which tells `onReport`, and returns what stops it; undefined where it is not installed. */
export type StartSuite = (
  options: VerifyWorkerOptions,
  onReport: (report: VerifyWorkerReport) => void,
) => (() => void) | undefined;

/** The most runs that are kept, and the most at once. */
export const MOST_VERIFICATIONS = 20;
export const MOST_RUNNING = 2;

/** How long a ticket for a report is good, in milliseconds. */
const TICKET_STAYS = 60_000;

interface Run {
  readonly options: VerifyWorkerOptions;
  readonly startedAt: Date;
  verdicts: readonly ClauseVerdict[];
  conclusion: string | undefined;
  html: string | undefined;
  isStopped?: boolean;
  ticket?: { readonly text: string; readonly until: number } | undefined;
  requests: number;
  animalsAdded: number;
  stop: () => void;
}

const text = { expected: 'a text', isValid: (value: unknown): value is string => typeof value === 'string' };

const kinds = {
  baseUrl,
  apiKey: { ...text, secret: true as const },
  allowWrites: {
    expected: 'true or false',
    isValid: (value: unknown): value is boolean => typeof value === 'boolean',
  },
  only: {
    expected: 'an array of clauses, such as ["list-pets"]',
    isValid: (value: unknown): value is string[] => Array.isArray(value) && value.every(text.isValid),
  },
};

/** Creates the runs of a mock. */
export function createVerifications(startSuite: StartSuite): Verifications {
  const runs = new Map<number, Run>();
  let lastId = 0;
  const find = (id: number): Run => {
    const run = runs.get(id);
    if (run !== undefined) return run;
    const given = describeValue(Number.isSafeInteger(id) ? BigInt(id) : id);
    throw new ApiError('not_found', `No verification has the id ${given}.`);
  };
  const report = (id: number): string => {
    const { html } = find(id);
    if (html === undefined)
      throw new ApiError('not_found', `There is no report of the verification ${id} yet.`);
    return html;
  };
  return {
    start(given, own) {
      const read = readMembers<VerificationOptions>('The verification', given, kinds);
      const options = {
        ...chooseTarget(read, own),
        allowWrites: read.allowWrites ?? false,
        only: read.only ?? [],
      };
      if ([...runs.values()].filter(({ conclusion }) => conclusion === undefined).length >= MOST_RUNNING) {
        throw new ApiError(
          'invalid_request',
          `${MOST_RUNNING} verifications are running: wait, or stop one.`,
        );
      }
      const run: Run = {
        ...{ options, startedAt: new Date(readTime()), verdicts: [], conclusion: undefined, html: undefined },
        ...{ requests: 0, animalsAdded: 0, stop: () => {} },
      };
      const stop = startSuite(options, (report) => take(run, report));
      if (stop === undefined) {
        const how = 'npm install --save-dev animal-store-contract-tests';
        throw new ApiError('invalid_request', `The contract suite is not installed: ${how}.`);
      }
      run.stop = stop;
      lastId += 1;
      runs.set(lastId, run);
      for (const [id, { conclusion }] of runs)
        if (runs.size > MOST_VERIFICATIONS && conclusion !== undefined) runs.delete(id);
      return show(lastId, run);
    },
    list: () => [...runs].map(([id, run]) => show(id, run)),
    get(id) {
      const run = find(id);
      return { ...show(id, run), verdicts: run.verdicts };
    },
    report,
    makeTicket(id) {
      report(id);
      const text = randomUUID();
      find(id).ticket = { text, until: readTime() + TICKET_STAYS };
      return text;
    },
    takeTicket(id, text) {
      const run = runs.get(id);
      if (run?.ticket?.text !== text) return false;
      const isGood = readTime() < run.ticket.until;
      run.ticket = undefined;
      return isGood;
    },
    stop(id) {
      const run = find(id);
      run.isStopped = run.conclusion === undefined;
      run.stop();
    },
    close() {
      for (const run of runs.values()) run.stop();
    },
  };
}

/** Chooses what to verify, and how; a key goes to the deployment that it was given for. @throws ApiError `invalid_request` */
function chooseTarget(
  { baseUrl = '', apiKey }: VerificationOptions,
  own: OwnTarget,
): OwnTarget & { apiKey: string } {
  const target = baseUrl === '' || isSame(baseUrl, own.baseUrl) ? own : { baseUrl, apiKey: undefined };
  const key = apiKey ?? target.apiKey;
  if (key !== undefined) return { ...target, apiKey: key };
  throw new ApiError(
    'invalid_request',
    'The verification: apiKey is missing; give the API key of the deployment.',
  );
}

function isSame(one: string, other: string): boolean {
  return one.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}

function take(run: Run, report: VerifyWorkerReport): void {
  if (run.isStopped && !('verdict' in report)) Object.assign(run, report, { conclusion: 'stopped' });
  else if ('failure' in report) run.conclusion = `could not tell: ${report.failure}`;
  else if ('conclusion' in report) Object.assign(run, report);
  else {
    run.verdicts = [...run.verdicts, report.verdict];
    run.requests = report.requests;
    run.animalsAdded = report.animalsAdded;
  }
}

function show(
  id: number,
  { options, startedAt, conclusion, verdicts, requests, animalsAdded }: Run,
): Verification {
  const { baseUrl, allowWrites } = options;
  const counts = { passed: 0, failed: 0, skipped: 0, error: 0 };
  for (const { verdict } of verdicts) counts[verdict] += 1;
  return { id, baseUrl, allowWrites, startedAt, conclusion, counts, requests, animalsAdded };
}
