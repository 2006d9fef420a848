const hints = [
  [/ECONNREFUSED/, 'nothing listens there: is it started, and is the port right?'],
  [/ENOTFOUND|EAI_AGAIN/, 'there is no such host, or no DNS.'],
] as const;

/** Returns what to check where a connection failed, to be read after the reason. @param reason with the code of the error */
export function findConnectionHint(reason: string): string | undefined {
  return hints.find(([pattern]) => pattern.test(reason))?.[1];
}
