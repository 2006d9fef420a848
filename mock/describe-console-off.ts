import type { MockConfig } from './options.ts';

/** Returns why the console is off and how to turn it on; undefined if it is on. @param isLoopback says that only this machine reaches the mock */
export function describeConsoleOff(
  { admin, adminToken }: MockConfig,
  isLoopback: boolean,
): string | undefined {
  if (!admin) return 'The console is off, because the mock was started with --no-admin.';
  if (isLoopback || adminToken !== undefined) return undefined;
  const why = 'The console is off, because other machines can reach this mock';
  return `${why}. Turn it on with --admin-token <token>, or adminToken in code.`;
}
