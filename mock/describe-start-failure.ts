import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { UsageError } from './options.ts';
import { DataFileError } from './read-data-file.ts';

/** What to say, if anything, and how to exit: 2 for usage, 1 for a failure to start, 0 after --help. */
export interface StartFailure {
  readonly message: string | undefined;
  readonly exitCode: number;
}

/** Says in one sentence why the mock did not start. */
export function describeStartFailure(error: unknown): StartFailure {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { message: undefined, exitCode: 0 };
    return { message: error.message.replace(/^error: /, '').replaceAll('\n', ' '), exitCode: 2 };
  }
  if (error instanceof UsageError) return { message: error.message, exitCode: 2 };
  if (error instanceof DataFileError) return { message: error.message, exitCode: 1 };
  return { message: describeListenError(error) ?? inspect(error), exitCode: 1 };
}

function describeListenError(error: unknown): string | undefined {
  const { code, port, address, hostname } = error as Record<
    'code' | 'port' | 'address' | 'hostname',
    unknown
  >;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${address} is in use; choose another with --port, or --port 0 for a free one`;
    case 'EACCES':
      return `this user may not listen on port ${port} of ${address}; choose another with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${address ?? hostname} (from --host, ANIMAL_STORE_HOST or HOST) is not an address of this machine`;
    default:
      return undefined;
  }
}
