import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '../../common/http/request-headers.ts';
import { readSessionNames } from '../../common/http/session-names.ts';
import { CHECKED_HEADER } from '../../common/proxy-thread.ts';
import { Context, LARGEST_BODY } from '../pipeline/context.ts';
import type { Outcome } from '../session/fault-effects.ts';
import type { Session } from '../session/session.ts';
import { createReadBody } from './read-body.ts';

/** A request with the target as it was received, which Express keeps. */
type AppRequest = IncomingMessage & { readonly originalUrl: string };

const readBytes = createReadBody(LARGEST_BODY);

/** Number of requests so far on each connection. */
const numbers = new WeakMap<Socket, number>();

/** A request over HTTP. */
export class HttpContext extends Context {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Headers of the response, which its reply may override. */
  readonly responseHeaders: Record<string, string | number> = {};
  /** False for pages and the control API, which the journal leaves out. */
  isRecorded = true;
  /** What was sent, for the log. */
  outcome: Outcome | undefined;
  readonly isChecked: boolean;
  readonly #number: number;

  constructor(request: AppRequest, response: ServerResponse, mock: Session) {
    const { method = '', originalUrl, headers, socket } = request;
    const names = readSessionNames(originalUrl, headers);
    super(method, originalUrl, headers as Context['headers'], mock, names);
    this.request = request;
    this.response = response;
    this.isChecked = headers[CHECKED_HEADER] !== undefined;
    // It is no header of the client.
    delete headers[CHECKED_HEADER];
    this.#number = (numbers.get(socket) ?? 0) + 1;
    numbers.set(socket, this.#number);
  }

  get isAborted(): boolean {
    return this.response.destroyed || this.request.socket.destroyed;
  }

  get hasBody(): boolean {
    return hasBody(this.request.headers);
  }

  get sentAs(): string {
    return `${this.request.socket.remotePort}/${this.#number}`;
  }

  onClose(callback: () => void): void {
    this.response.once('close', callback);
  }

  protected readBytes(): Promise<Uint8Array> {
    return readBytes(this.request, this.response);
  }
}
