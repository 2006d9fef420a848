import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '../../common/http/headers.ts';
import { parseSessionPath, readSessionNames, type SessionName } from '../../common/http/session-names.ts';
import { CHECKED_HEADER } from '../../common/proxy-thread.ts';
import { Call, LARGEST_BODY } from '../session/call.ts';
import type { Outcome } from '../session/outcome.ts';
import type { Session } from '../session/session.ts';
import { createReadBody } from './read-body.ts';

/** A request with the target as it was received, which Express keeps. */
type AppRequest = IncomingMessage & { readonly originalUrl: string };

const readBytes = createReadBody(LARGEST_BODY);

const numbers = new WeakMap<Socket, number>();

export class HttpCall extends Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly originalUrl: string;
  /** The names that the request gives its session, which may differ. */
  readonly sessionNames: readonly SessionName[];
  /** The session that the path or a header names; undefined for the mock itself. */
  readonly sessionName: string | undefined;
  /** Headers of the response, which its reply may override. */
  readonly responseHeaders: Record<string, string | number> = {};
  /** False for pages and the control API, and as long as the session of a request is not found: plugins do not see them. */
  isRecorded: boolean;
  /** What was sent, for the log. */
  outcome: Outcome | undefined;
  readonly isChecked: boolean;
  readonly #number: number;

  constructor(request: AppRequest, response: ServerResponse, mock: Session) {
    const { method = '', originalUrl, headers, socket } = request;
    const { prefix, path } = parseSessionPath(originalUrl);
    super(method, path, headers as Call['headers'], mock, `${prefix}/v1`);
    this.request = request;
    this.response = response;
    this.originalUrl = originalUrl;
    this.sessionNames = readSessionNames(originalUrl, headers);
    this.sessionName = this.sessionNames[0]?.name;
    this.isRecorded = this.sessionName === undefined;
    this.isChecked = headers[CHECKED_HEADER] !== undefined;
    // It is no header of the client.
    delete headers[CHECKED_HEADER];
    this.#number = (numbers.get(socket) ?? 0) + 1;
    numbers.set(socket, this.#number);
  }

  enter(session: Session): void {
    this.session = session;
    this.store = session.store;
    this.isRecorded = true;
  }

  get isAborted(): boolean {
    return this.request.socket.destroyed;
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
    return readBytes(this.request);
  }
}
