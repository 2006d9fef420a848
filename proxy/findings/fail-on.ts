import type { Findings } from './findings.ts';

/** What may fail the run: an error, a warning too, or nothing. */
export const failOnLevels = ['error', 'warning', 'never'] as const;

/** The least severity that fails the run. */
export type FailOn = (typeof failOnLevels)[number];

/** Whether a violation of the severity fails the run. */
export function isFailure(severity: 'error' | 'warning', failOn: FailOn): boolean {
  return failOn === 'warning' || (failOn === 'error' && severity === 'error');
}

/** Exit code for each verdict of the gate. */
export const gateExitCodes = { kept: 0, broken: 1, 'no verdict': 2 } as const;

/** Returns the verdict of the gate. Without a response it has none. */
export function readGate({ answered, violations }: Findings, failOn: FailOn): keyof typeof gateExitCodes {
  if (violations.some(({ severity }) => isFailure(severity, failOn))) return 'broken';
  return answered === 0 && failOn !== 'never' ? 'no verdict' : 'kept';
}
