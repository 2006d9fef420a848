/** What an operation answers: the HTTP status, all headers of its own, and the body as JSON text. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Empty when there is none. */
  readonly body: string;
}

/** Creates a reply; `headers` go beside those of the body. Without a body, as with 204, there are none of those. */
export function createReply(status: number, body?: string, headers: Reply['headers'] = {}): Reply {
  if (body === undefined) return { status, headers, body: '' };
  const length = Buffer.byteLength(body);
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Content-Length': length, ...headers },
    body,
  };
}
