import type { CarriedBody } from './carried-body.ts';
import type { RawHeaders } from './raw-headers.ts';
import type { ReceivedRequest } from './received-request.ts';

/** Where requests are carried to, and how. */
export interface UpstreamConfig {
  /** The base URL. */
  readonly upstream: URL;
  /** How long it may be silent, in milliseconds. @default 30000 */
  readonly timeout: number;
  /** Certificates to trust beside the usual ones, in PEM. */
  readonly ca?: string | undefined;
  /** Whether a certificate that nobody vouches for is good enough. @default false */
  readonly insecure: boolean;
}

/** What the upstream answered; its body has been read up to the limit. */
export interface UpstreamResponse {
  readonly status: number;
  /** The reason phrase. */
  readonly reason: string;
  readonly rawHeaders: RawHeaders;
  readonly body: CarriedBody;
}

/** Carries requests to one upstream. */
export interface Carrier {
  /**
   * Sends a request on with the bytes that it came with; only Host and what concerns the connection are its own.
   *
   * @param onGone is given what to call when the client has gone.
   * @throws UpstreamError 502 when the upstream cannot be reached or breaks off, 504 when it is silent too long.
   */
  carry(request: ReceivedRequest, onGone: (cancel: () => void) => void): Promise<UpstreamResponse>;
  /** Lets go of idle connections. */
  close(): void;
}

/** An upstream that gave no response. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly status: 502 | 504;

  /** @param cause Node's code of the failure. */
  constructor(status: 502 | 504, message: string, cause?: string) {
    super(message, { cause });
    this.status = status;
  }
}
