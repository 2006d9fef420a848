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

/** Reasons to fail a run: violations of a level, and points of the contract that were not reached. */
export interface Gate {
  readonly failOn: FailOn;
  /** @default [] */
  readonly require?: readonly string[] | undefined;
}

/** Lists the points that were not reached. A 401 does not reach an operation, because nothing but the key was tested. */
export function listMissing({ coverage }: Findings, { require = [] }: Gate): string[] {
  return require.filter((point) => (coverage[point] ?? 0) === (coverage[`${point}:401`] ?? 0));
}

/** Returns the verdict of the gate. It has none if no operation of the contract returned anything but a refusal. */
export function readGate(findings: Findings, gate: Gate) {
  const { answered, refused, violations } = findings;
  if (violations.some((finding) => isFailure(finding, gate.failOn))) return 'failed';
  if (listMissing(findings, gate).length > 0) return 'failed';
  return answered === refused && gate.failOn !== 'never' ? 'no verdict' : 'passed';
}
