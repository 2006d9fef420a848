import type { Finding, Findings } from './findings-record.ts';

/** Values of --fail-on. A warning includes errors. Without a side, requests and responses count. */
export const failOnLevels = [
  ...(['error', 'warning'] as const),
  ...(['request-error', 'request-warning', 'response-error', 'response-warning'] as const),
  'never',
] as const;

/** The side and the least severity that fail the run. */
export type FailOn = (typeof failOnLevels)[number];

export function isFailure({ severity, place }: Finding, failOn: FailOn): boolean {
  const [level, side = ''] = failOn.split('-').reverse();
  return place.startsWith(side) && (level === 'warning' || level === severity);
}

export const gateExitCodes = { passed: 0, failed: 1, 'no verdict': 2 } as const;

/** Returns the verdict of the gate. It has none if no operation of the contract returned anything but a refusal. */
export function readGate({ answered, refused, violations }: Findings, failOn: FailOn) {
  if (violations.some((finding) => isFailure(finding, failOn))) return 'failed';
  return answered === refused && failOn !== 'never' ? 'no verdict' : 'passed';
}
