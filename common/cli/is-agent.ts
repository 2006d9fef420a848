import type { Environment } from './environment.ts';
import type { LogFormat } from './log-format.ts';

/** Variables that coding agents set for the commands that they run. `AI_AGENT` is for every agent. */
export const agentVariables = [
  'AI_AGENT',
  'AUGMENT_AGENT',
  'CLAUDECODE',
  'CODEX_SANDBOX',
  'CODEX_THREAD_ID',
  'COPILOT_AGENT',
  'COPILOT_CLI',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'JUNIE_DATA',
  'OPENCODE',
] as const;

/**
 * Returns whether a coding agent runs the command. It reads each finding as one line of JSON, and progress and colours would only
 * lengthen what it reads.
 */
export function isAgent(environment: Environment): boolean {
  return agentVariables.some((name) => (environment[name] ?? '') !== '');
}

/** The log of a run whose end prints each violation for an agent, as a member of its options. @param log as its user gives it */
export function logOnce(environment: Environment, log: LogFormat | undefined): { readonly log?: LogFormat } {
  const chosen = log ?? (isAgent(environment) ? 'silent' : undefined);
  return chosen === undefined ? {} : { log: chosen };
}
