/** A request to the deployment. */
export interface SuiteRequest {
  /** GET or POST. */
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
  /** Decoded of any content coding. */
  readonly body: Buffer;
}

/** A request and what came of it. */
export interface Exchange {
  readonly request: SuiteRequest;
  /** Undefined when none came. */
  readonly response: SuiteResponse | undefined;
  /** Why no response came. */
  readonly failure: string | undefined;
  /** In milliseconds. */
  readonly ms: number;
}
