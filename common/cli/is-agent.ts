import type { Environment } from './environment.ts';

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
