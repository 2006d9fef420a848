/** A message's headers, by lower-case name; several values of a header are joined by a comma. */
export type Headers = Readonly<Record<string, string>>;

/** A request and its response as they passed, bodies decoded of any content coding. */
export interface Exchange {
  readonly request: {
    readonly method: string;
    /** Relative to the base URL, without the query; percent-encoded as it was sent. */
    readonly path: string;
    readonly query: URLSearchParams;
    readonly headers: Headers;
    /** Undefined when it is too large or too oddly coded to be judged. */
    readonly body: Uint8Array | undefined;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Headers;
    /** Undefined when it is too large or too oddly coded to be judged. */
    readonly body: Uint8Array | undefined;
  };
}

/** Something in an exchange that openapi.yaml does not allow. */
export interface Violation {
  /** Where it is, such as `['response', 'body', '0', 'id']`. */
  readonly location: readonly string[];
  readonly severity: 'error' | 'warning';
  /** The rule that is broken, such as `required` or `maximum`; absent where Prism names none. */
  readonly code?: string;
  readonly message: string;
}
