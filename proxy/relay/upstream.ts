/** Where requests are carried to, and how. */
export interface UpstreamConfig {
  /**
   * Whether the upstream is the mock that this proxy was started by: it has the same service beneath `/sessions/{name}`, gets
   * the Host that the client sent, and breaks connections off on purpose. @default false
   */
  readonly isBesideMock: boolean;
  /** The base URL. */
  readonly upstream: URL;
  /** How long it may be silent, in milliseconds. @default 30000 */
  readonly timeout: number;
  /** Certificates to trust beside the usual ones, in PEM. */
  readonly ca?: string | undefined;
  /** Whether a certificate that nobody vouches for is good enough. @default false */
  readonly insecure: boolean;
}

/** An upstream that gave no response. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly code: 'upstream_failed' | 'upstream_timeout';

  /** @param cause Node's code of the failure. */
  constructor(message: string, cause?: string, code: UpstreamError['code'] = 'upstream_failed') {
    super(message, { cause });
    this.code = code;
  }
}
