import { isSea } from 'node:sea';

/** Whether this is the executable `animal-store`, which has all commands and needs no Node. */
export const isExecutable: boolean = isSea();

/** Returns the command as its user starts it: `animal-store-mock`, or `animal-store mock` in the executable. */
export function commandName(command: 'mock' | 'proxy' | 'verify'): string {
  return `animal-store${isExecutable ? ' ' : '-'}${command}`;
}
