import type { FailOn } from '../../common/cli/fail-on-levels.ts';
import type { Finding, Findings } from './findings-record.ts';

/** Reasons to fail a run: violations of a level, and parts of the contract that were not reached. */
export interface Gate {
  readonly failOn: FailOn;
  /** @default [] */
  readonly require?: readonly string[] | undefined;
  /** Why the command that sends the traffic could not be started, in one line. @default there is none, or it was started */
  readonly commandFailure?: string | undefined;
  /** The signal that ended the run before its command had ended, so that nobody knows what the rest would have shown. @default none */
  readonly interruption?: string | undefined;
  /** Why the recording of the traffic is incomplete. @default it is not, or there is none */
  readonly unrecorded?: string | undefined;
  /** The exit code of the command. Another one than 0 is that of the run. @default 0 */
  readonly commandCode?: number | undefined;
}

/** Returns whether a violation fails the run. */
export function isFailure({ severity, location }: Finding, failOn: FailOn): boolean {
  const [level, side = location[0]] = failOn.split('-').reverse();
  return side === location[0] && (level === 'warning' || level === severity);
}

export const exitCodes = { passed: 0, failed: 1, 'no verdict': 2 } as const;

/** Whether a run has passed its gate. */
interface Verdict {
  readonly verdict: keyof typeof exitCodes;
  /** Sentences about the verdict; none if the run has no gate. */
  readonly sentences: readonly string[];
  /** Required parts of the contract that were not reached. */
  readonly missing: readonly string[];
}

/**
 * Returns the verdict of the gate. It has none if its command could not be started, or if no request of the contract succeeded: a
 * wrong base URL is not found too, as an animal may be, and a HEAD has no body to check. A 401 does not reach a required operation,
 * because nothing but the key was tested.
 */
export function readVerdict(findings: Findings, gate: Gate): Verdict {
  const { failOn, require = [], commandFailure, interruption, unrecorded, commandCode = 0 } = gate;
  if (commandFailure !== undefined)
    return { verdict: 'no verdict', sentences: [`No verdict: ${commandFailure}.`], missing: [] };
  const { coverage, violations } = findings;
  const missing = require.filter((part) => (coverage[part] ?? 0) === (coverage[`${part}:401`] ?? 0));
  const sentences = missing.length > 0 ? [`Failed: not reached: ${missing.join(', ')} (--require).`] : [];
  if (violations.some((one) => isFailure(one, failOn)))
    return {
      verdict: 'failed',
      sentences: [...sentences, `Failed: violations found (--fail-on ${failOn}).`],
      missing,
    };
  if (missing.length > 0) return { verdict: 'failed', sentences, missing };
  if (failOn === 'never') return { verdict: 'passed', sentences, missing };
  const nothing = interruption
    ? `${interruption} ended the run before its command had ended`
    : (unrecorded ?? describeNothing(findings));
  if (nothing !== undefined)
    return { verdict: 'no verdict', sentences: [`No verdict: ${nothing}.`], missing };
  const others = violations.reduce((sum, { count }) => sum + count, 0);
  const passed = others === 0 ? 'Passed.' : `Passed: --fail-on ${failOn} does not count ${countOf(others)}.`;
  const failed =
    commandCode === 0 ? [] : [`The run fails all the same: its command ended with exit code ${commandCode}.`];
  return { verdict: 'passed', sentences: [passed, ...failed], missing };
}

function countOf(violations: number): string {
  return violations === 1 ? 'the violation' : `the ${violations} violations`;
}

/** A command that does not read the variable sends its requests elsewhere, and a mock that tests start has no gate. */
const NO_REQUEST =
  'no exchange was checked, because no request came to the proxy. A command has its URL in ANIMAL_STORE_URL, and tests that start a mock call mock.expectNoViolations()';

/** Says why a run proves nothing; undefined if a request of the contract succeeded. */
export function describeNothing(findings: Findings): string | undefined {
  const { exchanges, answered, succeeded, faults } = findings;
  if (exchanges === 0) return NO_REQUEST;
  if (succeeded > 0) return undefined;
  if (answered > 0)
    return 'no GET or POST of the contract succeeded. Check the API key and the base URL, which ends with /v1';
  const except = faults > 0 ? ', except by faults of the mock' : '';
  return `no request of the contract got a response${except}`;
}
