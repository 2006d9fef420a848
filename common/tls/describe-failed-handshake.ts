/**
 * Describes a TLS handshake that failed without an alert of the server, which often has no TLS. The message of Node names only a
 * line of OpenSSL. The text has no full stop. @returns undefined for another error
 */
export function describeFailedHandshake({ code, message }: NodeJS.ErrnoException): string | undefined {
  if (code !== 'EPROTO' || /alert/i.test(message)) return undefined;
  return 'the TLS handshake failed. If the service has no TLS, use http';
}
