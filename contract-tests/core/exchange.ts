/** A request to the deployment. */
export interface SuiteRequest {
  readonly method: string;
  /** The URL that the path is relative to: the base URL, or the origin of the quickstart. */
  readonly base: string;
  /** Path and query. */
  readonly path: string;
  /** Every header that was set; Authorization as it was sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A response of the deployment. */
export interface SuiteResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded where it is in the coding that it is said to be in, and never more than 8 MiB. */
  readonly body: Buffer;
}

/** A request and its response. */
export interface Exchange {
  readonly request: SuiteRequest;
  /** Undefined when none came. */
  readonly response: SuiteResponse | undefined;
  /** Why no response came, or why its body is not whole. */
  readonly failure: string | undefined;
  /** In milliseconds. */
  readonly ms: number;
}
