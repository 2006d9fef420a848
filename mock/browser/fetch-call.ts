import type { Reply } from '../../common/http/reply.ts';
import { Call, LARGEST_BODY, tooLarge } from '../session/call.ts';
import type { Outcome } from '../session/outcome.ts';
import type { Session } from '../session/session.ts';

/** A request of a page, without a server. */
export class FetchCall extends Call {
  readonly sentAs = '';
  readonly isChecked = false;
  readonly #request: Request;
  /** The URL before the path. */
  readonly #base: string;

  /** @param path Path and query, from /v1 or /messages on. */
  constructor(request: Request, path: string, mock: Session) {
    const headers = [...request.headers].map(([name, value]) => [name.toLowerCase(), value]);
    // In a page there are no sessions. Its requests may have the header for the server of the app.
    super(request.method, path, Object.fromEntries(headers), mock);
    this.#request = request;
    const { origin, pathname } = new URL(request.url);
    this.#base = origin + pathname.slice(0, pathname.length - this.path.length);
  }

  get isAborted(): boolean {
    return this.#request.signal.aborted;
  }

  get hasBody(): boolean {
    // Firefox has no Request.body, and a page sets no Content-Length.
    return this.method !== 'GET' && this.method !== 'HEAD';
  }

  onClose(callback: () => void): void {
    this.#request.signal.addEventListener('abort', callback);
  }

  protected async readBytes(): Promise<Uint8Array> {
    const bytes = new Uint8Array(await this.#request.arrayBuffer());
    if (bytes.length > LARGEST_BODY) throw tooLarge(LARGEST_BODY);
    return bytes;
  }

  /** Returns the response. A reset of the connection is a network error. */
  toResponse(outcome: Outcome): Response {
    switch (outcome.wire) {
      case 'whole':
        return this.#createResponse(outcome.reply, outcome.reply.body);
      case 'half':
        return this.#createResponse(outcome.reply, createBrokenBody(outcome.reply.body));
      case 'reset':
        return Response.error();
    }
  }

  #createResponse({ status, headers }: Reply, body: string | ReadableStream): Response {
    const hasBody = this.method !== 'HEAD' && status !== 204 && status !== 304;
    const all = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const location = all.get('Location');
    // The response of a worker has no URL that a path could be relative to.
    if (status === 307 && location !== null) all.set('Location', this.#base + location);
    if (this.session.settings.now !== null) all.set('Date', this.session.now().toUTCString());
    return new Response(hasBody ? body : null, { status, headers: all });
  }
}

/** Creates a body that fails after this text. */
function createBrokenBody(text: string): ReadableStream<Uint8Array> {
  const chunks = [new TextEncoder().encode(text)];
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const chunk = chunks.shift();
    if (chunk === undefined) controller.error(new TypeError('A fault of the mock broke the connection.'));
    else controller.enqueue(chunk);
  };
  // Without a queue, the body fails when the chunk has been read. Before that, the error would discard the chunk.
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
