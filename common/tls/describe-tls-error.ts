interface WrongHostError extends Error {
  readonly host: string;
  readonly cert: { readonly subjectaltname?: string };
}

/** Maximum number of hosts in a message: the certificate of a CDN has hundreds. */
const MOST_HOSTS = 10;

/** Describes a certificate that is not for the host, without a full stop. @returns undefined for another error */
export function describeWrongHost(error: NodeJS.ErrnoException): string | undefined {
  if (error.code !== 'ERR_TLS_CERT_ALTNAME_INVALID' || !('cert' in error)) return undefined;
  const { host, cert } = error as WrongHostError;
  const found = (cert.subjectaltname ?? '').matchAll(/(?:DNS|IP Address):([^,]+)/g);
  const hosts = Array.from(found, ([, name]) => name);
  const shown = hosts.slice(0, MOST_HOSTS).join(', ') || 'no host';
  const more = hosts.length > MOST_HOSTS ? ` and ${hosts.length - MOST_HOSTS} more` : '';
  const advice = 'Use one of the hosts of the certificate, or add the host to the certificate';
  return `its certificate is not for ${host}: its subjectAltName has ${shown}${more}. ${advice}`;
}

/**
 * Describes a TLS handshake that failed without an alert of the server, which often has no TLS. The message of Node names only a
 * line of OpenSSL. The text has no full stop. @returns undefined for another error
 */
export function describeFailedHandshake({ code, message }: NodeJS.ErrnoException): string | undefined {
  if (code !== 'EPROTO' || /alert/i.test(message)) return undefined;
  return 'the TLS handshake failed. If the service has no TLS, use http';
}
