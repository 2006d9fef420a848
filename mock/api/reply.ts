/** What an operation answers: the HTTP status, all headers of its own, and the body as JSON text. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Empty when the reply has none. */
  readonly body: string;
}

/** Creates a reply; `headers` go beside those of the body. A reply without a body, such as a 204, has only `headers`. */
export function createReply(status: number, body?: string, headers: Reply['headers'] = {}): Reply {
  if (body === undefined) return { status, headers, body: '' };
  const length = Buffer.byteLength(body);
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Content-Length': length, ...headers },
    body,
  };
}
