import type { Environment } from './environment.ts';

/** Returns whether a CI system runs the command, where nobody opens a page. Most systems set `CI`. */
export function isContinuousIntegration({ CI = '' }: Environment): boolean {
  return !/^(?:0|false)?$/i.test(CI);
}
