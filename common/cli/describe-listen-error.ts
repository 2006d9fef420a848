/**
 * Describes in one line why a server cannot listen.
 * @param toHint returns what to try instead of a port. @param hostOption the option of the host, as its user writes it
 * @returns undefined for any other error
 */
export function describeListenError(
  error: unknown,
  toHint: (port: number) => string,
  hostOption: string,
): string | undefined {
  const { code, syscall, port, address, hostname, message } = error as Record<string, string | undefined>;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  const place = `${port} of ${address}`;
  if (code === 'EADDRINUSE') return `Port ${place} is in use. ${toHint(Number(port))}`;
  if (code === 'EACCES') return `This user may not listen on port ${place}. ${toHint(Number(port))}`;
  return `cannot listen on ${address ?? hostname} (from ${hostOption}): ${message}`;
}
