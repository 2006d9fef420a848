import type { Findings } from './findings.ts';

/** What may break the gate: an error, a warning too, or nothing. */
export const failOnLevels = ['error', 'warning', 'never'] as const;

/** The least severity that breaks the gate. */
export type FailOn = (typeof failOnLevels)[number];

/** Whether a violation of the severity breaks the gate. */
export function breaksGate(severity: 'error' | 'warning', failOn: FailOn): boolean {
  return failOn === 'warning' || (failOn === 'error' && severity === 'error');
}

/** Whether the gate is broken. */
export function isGateBroken({ violations }: Findings, failOn: FailOn): boolean {
  return violations.some(({ severity }) => breaksGate(severity, failOn));
}
