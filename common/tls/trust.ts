/** Certificates of connections to a deployment, in PEM. */
export interface Trust {
  /** Certificates to trust in addition to the usual ones. */
  readonly ca?: string | undefined;
  /** Trusts any certificate. @default false */
  readonly insecure?: boolean | undefined;
  /** The client's own certificate, for mutual TLS. */
  readonly clientCert?: string | undefined;
  /** The key of the client's certificate. */
  readonly clientKey?: string | undefined;
  /** Decrypts the key of the client's certificate. */
  readonly clientPassphrase?: string | undefined;
}

/** Certificate and key of a server, in PEM. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
}
