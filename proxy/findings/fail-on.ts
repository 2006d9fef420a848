import type { Findings } from './findings.ts';

/** What may fail the run: an error, a warning too, or nothing. */
export const failOnLevels = ['error', 'warning', 'never'] as const;

/** The least severity that fails the run. */
export type FailOn = (typeof failOnLevels)[number];

/** Whether a violation of the severity fails the run. */
export function isFailure(severity: 'error' | 'warning', failOn: FailOn): boolean {
  return failOn === 'warning' || (failOn === 'error' && severity === 'error');
}

/** Whether the run is to fail. */
export function shouldFail({ violations }: Findings, failOn: FailOn): boolean {
  return violations.some(({ severity }) => isFailure(severity, failOn));
}
