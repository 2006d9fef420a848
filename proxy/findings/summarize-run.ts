import type { FailOn } from '../../common/cli/fail-on-levels.ts';
import type { Recording } from '../exchange.ts';
import { listCoverage, type OperationCoverage } from './coverage.ts';
import { type Gate, isFailure, listMissing, readGate } from './fail-on.ts';
import type { Finding, Findings } from './findings-record.ts';

/** Exchanges that say nothing about the contract. */
interface NotChecked {
  readonly count: number;
  readonly one: string;
  readonly many: string;
  /** Why, with their counts. @default [] */
  readonly reasons?: readonly string[];
}

/** What a run has shown, for all printers. */
export interface RunSummary {
  readonly verdict: ReturnType<typeof readGate>;
  /** Sentences about the verdict; none if the run has no gate. */
  readonly sentences: readonly string[];
  readonly violations: readonly (Finding & { readonly isFailure: boolean })[];
  /** What is remarkable about the whole run. */
  readonly notes: readonly string[];
  readonly notChecked: readonly NotChecked[];
  readonly coverage: readonly OperationCoverage[];
  /** Required points of the contract that were not reached. */
  readonly missing: readonly string[];
}

/** Maximum number of reasons of the upstream that are listed. */
const MOST_REASONS = 5;

/** Summarizes a run. Without a gate its errors are failures. @param recording absent if the exchanges passed through the proxy */
export function summarizeRun(findings: Findings, gate: Gate, recording?: Recording): RunSummary {
  const { faults, failures, unanswered, abandoned } = findings;
  const level = gate.failOn === 'never' ? 'error' : gate.failOn;
  const reasons = failures.slice(0, MOST_REASONS).map(({ message, count }) => `${message} (${count})`);
  const where = recording === undefined ? 'from the upstream' : 'in the file';
  const notChecked: readonly NotChecked[] = [
    {
      count: faults,
      one: 'response by a fault of the mock, which is neither a violation nor coverage',
      many: 'responses by faults of the mock, which are neither violations nor coverage',
    },
    {
      count: unanswered,
      one: `exchange without a response ${where}`,
      many: `exchanges without a response ${where}`,
      reasons,
    },
    { count: abandoned, one: 'exchange given up by the client', many: 'exchanges given up by the client' },
    {
      count: recording?.fromCache ?? 0,
      one: 'entry answered by the cache or a service worker',
      many: 'entries answered by the cache or a service worker',
    },
  ];
  return {
    verdict: readGate(findings, gate),
    sentences: explainVerdict(findings, gate),
    violations: findings.violations.map((one) => ({ ...one, isFailure: isFailure(one, level) })),
    notes: listNotes(findings),
    notChecked: notChecked.filter(({ count }) => count > 0),
    coverage: findings.exchanges === 0 ? [] : listCoverage(findings.coverage),
    missing: listMissing(findings, gate),
  };
}

function listNotes(findings: Findings): string[] {
  const { exchanges, succeeded } = findings;
  if (exchanges === 0) return ['no exchange was checked: the proxy received no request'];
  return succeeded === 0 ? [`no request of the contract succeeded${describe404(findings)}`] : [];
}

/** Says what may be wrong if each response is a 404: a base URL without the path of the service. Empty for other responses. */
function describe404({ answered, refused, coverage }: Findings): string {
  const countStatus = (status: number) => {
    const points = Object.entries(coverage).filter(([point]) => point.endsWith(`:${status}`));
    return points.reduce((sum, [, times]) => sum + times, 0);
  };
  // A refusal is a 401, or a 404 that is no point of the contract.
  const notFound = refused - countStatus(401) + countStatus(404);
  if (answered === 0 || notFound < answered) return '';
  return ': each response is a 404. If the paths of the service begin with /v1, the base URL ends with it';
}

function explainVerdict(findings: Findings, gate: Gate): string[] {
  if (gate.commandFailure !== undefined) return [`No verdict: ${gate.commandFailure}.`];
  const missing = listMissing(findings, gate);
  const hasFailure = findings.violations.some((one) => isFailure(one, gate.failOn));
  const hasVerdict = gate.failOn !== 'never' && (missing.length === 0 || hasFailure);
  return [
    ...(missing.length > 0 ? [`Failed: not reached: ${missing.join(', ')} (--require).`] : []),
    ...(hasVerdict ? [verdicts[readGate(findings, gate)](gate.failOn, findings)] : []),
  ];
}

const NOTHING_FOUND =
  'every response of the service was a 401 or a 404. Check the API key and the base URL, which ends with /v1.';

const verdicts = {
  passed: () => 'Passed.',
  failed: (failOn: FailOn, { answered, refused }: Findings) => {
    const found = `violations found (--fail-on ${failOn})`;
    const isRefused = answered > 0 && answered === refused;
    return isRefused ? `Failed: ${found}, and ${NOTHING_FOUND}` : `Failed: ${found}.`;
  },
  'no verdict': (_failOn: FailOn, { answered, faults }: Findings) => {
    if (answered > 0) return `No verdict: ${NOTHING_FOUND}`;
    const except = faults > 0 ? ', except by faults of the mock' : '';
    return `No verdict: no request of the contract got a response${except}.`;
  },
} as const;
