import { Context, type RequestHeaders } from '../pipeline/context.ts';
import type { Session } from '../session/session.ts';
import type { MockResponse } from './http-server.ts';
import { type BodyRequest, createReadBody, LARGEST_BODY } from './read-body.ts';

const readBody = createReadBody(LARGEST_BODY);

export class HttpContext extends Context {
  readonly request: BodyRequest;
  readonly response: MockResponse;

  constructor(request: BodyRequest, response: MockResponse, mock: Session) {
    const { method = '', url = '' } = request;
    super(method, url, request.headers as RequestHeaders, mock);
    this.request = request;
    this.response = response;
  }

  get isAborted(): boolean {
    return this.response.destroyed || this.request.socket.destroyed;
  }

  get sentAs(): string {
    return `${this.request.socket.remotePort}/${this.response.number}`;
  }

  onClose(callback: () => void): void {
    this.response.once('close', callback);
  }

  async readBody(): Promise<Uint8Array> {
    this.bytes = await readBody(this.request, this.response);
    return this.bytes;
  }
}
