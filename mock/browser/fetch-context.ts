import { Context, LARGEST_BODY, type Outcome, tooLarge } from '../pipeline/context.ts';
import type { Session } from '../session/session.ts';

/** A request of a page, without a server. */
export class FetchContext extends Context {
  readonly sentAs = '';
  readonly #request: Request;

  /** @param path Path and query, from /v1 or /messages on. */
  constructor(request: Request, path: string, mock: Session) {
    const headers = [...request.headers].map(([name, value]) => [name.toLowerCase(), value]);
    super(request.method, path, Object.fromEntries(headers), mock);
    this.#request = request;
  }

  get isAborted(): boolean {
    return this.#request.signal.aborted;
  }

  onClose(callback: () => void): void {
    this.#request.signal.addEventListener('abort', callback);
  }

  protected async readBytes(): Promise<Uint8Array> {
    const bytes = new Uint8Array(await this.#request.arrayBuffer());
    if (bytes.length > LARGEST_BODY) throw tooLarge(LARGEST_BODY);
    return bytes;
  }

  /** Returns the response; a drop is a network error. */
  toResponse(outcome: Outcome): Response {
    if (outcome === 'drop') return Response.error();
    const { status, headers, body } = outcome;
    const hasBody = this.method !== 'HEAD' && status !== 204 && status !== 304;
    const all = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    if (this.preferenceApplied !== undefined) all.set('Preference-Applied', this.preferenceApplied);
    if (this.session.settings.now !== null) all.set('Date', this.session.now().toUTCString());
    return new Response(hasBody ? body : null, { status, headers: all });
  }
}
