import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { toOneLine } from './hide-keys.ts';
import { StartError } from './usage-error.ts';

/** What to say, if anything, and how to exit: 2 for usage, 1 for a failure to start, 0 after --help. */
export interface StartFailure {
  readonly message: string | undefined;
  readonly exitCode: number;
}

/**
 * Says in one line why a program did not start; only a fault of its own has a stack trace.
 *
 * @param portFlag the option that chooses the port.
 */
export function describeStartFailure(error: unknown, portFlag = '--port'): StartFailure {
  if (error instanceof CommanderError) return { message: undefined, exitCode: error.exitCode };
  if (error instanceof StartError) return { message: toOneLine(error.message), exitCode: error.exitCode };
  return { message: describeListenError(error, portFlag) ?? inspect(error), exitCode: 1 };
}

/** What Node says of a failure to listen. */
interface ListenError {
  readonly code?: string;
  readonly syscall?: string;
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
  readonly message: string;
}

function describeListenError(error: unknown, portFlag: string): string | undefined {
  const { code, syscall, port, address, hostname, message } = error as ListenError;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${address} is in use; choose another with ${portFlag}, or ${portFlag} 0 for a free one`;
    case 'EACCES':
      return `this user may not listen on port ${port} of ${address}; choose another with ${portFlag}`;
    default:
      return toOneLine(
        `cannot listen on ${address ?? hostname} (from --host, ANIMAL_STORE_HOST or HOST): ${message}`,
      );
  }
}
