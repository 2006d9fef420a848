/** What an operation answers: the HTTP status, all headers of its own, and the body as JSON text. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

/** Creates a reply; `headers` go beside those of the body. */
export function createReply(status: number, body: string, headers: Reply['headers'] = {}): Reply {
  const length = Buffer.byteLength(body);
  const own = { 'Content-Type': 'application/json', 'Content-Length': length, ...headers };
  return { status, headers: own, body };
}
