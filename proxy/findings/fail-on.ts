import type { FailOn } from '../../common/cli/fail-on-levels.ts';
import type { Finding, Findings } from './findings-record.ts';

/** What fails a run: violations of these severities, on one side or on both. */
interface Level {
  readonly severities: readonly Finding['severity'][];
  readonly side: 'request' | 'response' | 'both';
}

const levels: Readonly<Record<FailOn, Level>> = {
  error: { severities: ['error'], side: 'both' },
  warning: { severities: ['error', 'warning'], side: 'both' },
  'request-error': { severities: ['error'], side: 'request' },
  'request-warning': { severities: ['error', 'warning'], side: 'request' },
  'response-error': { severities: ['error'], side: 'response' },
  'response-warning': { severities: ['error', 'warning'], side: 'response' },
  never: { severities: [], side: 'both' },
};

/** Returns whether a violation fails the run. */
export function isFailure({ severity, location }: Finding, failOn: FailOn): boolean {
  const { severities, side } = levels[failOn];
  return severities.includes(severity) && (side === 'both' || location[0] === side);
}

export const gateExitCodes = { passed: 0, failed: 1, 'no verdict': 2 } as const;

/** Reasons to fail a run: violations of a level, and points of the contract that were not reached. */
export interface Gate {
  readonly failOn: FailOn;
  /** @default [] */
  readonly require?: readonly string[] | undefined;
  /** Why the command that sends the traffic could not be started, in one line. @default there is none, or it was started */
  readonly commandFailure?: string | undefined;
}

/** Lists the points that a run did not reach. A 401 does not reach an operation, because nothing but the key was tested. */
export function listMissing({ coverage }: Findings, { require = [], commandFailure }: Gate): string[] {
  if (commandFailure !== undefined) return [];
  return require.filter((point) => (coverage[point] ?? 0) === (coverage[`${point}:401`] ?? 0));
}

/**
 * Returns the verdict of the gate. It has none if its command could not be started, or if no operation of the contract returned
 * anything but refusals and faults.
 */
export function readGate(findings: Findings, gate: Gate) {
  const { answered, refused, violations } = findings;
  if (gate.commandFailure !== undefined) return 'no verdict';
  if (violations.some((finding) => isFailure(finding, gate.failOn))) return 'failed';
  if (listMissing(findings, gate).length > 0) return 'failed';
  return answered === refused && gate.failOn !== 'never' ? 'no verdict' : 'passed';
}
