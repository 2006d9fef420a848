import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply } from '../../common/http/reply.ts';
import { parseSessionPath } from '../../common/http/session-path.ts';
import { writeReply } from '../../common/http/write-reply.ts';
import { findOperation, type OperationName } from '../../common/journal/find-operation.ts';
import { readTime } from '../../common/real-time.ts';
import type { PetStore } from '../api/pet-store.ts';
import type { Session } from '../session/session.ts';

export type Outcome = Reply | 'drop';

/** A step ends a request, or returns undefined to pass it to the next step. */
export type Step = (context: Context) => Outcome | Promise<Outcome | undefined> | undefined;

type ReadBody = (request: IncomingMessage, response: ServerResponse) => Promise<Uint8Array>;

/** Number of requests so far on each connection. */
const numbers = new WeakMap<Socket, number>();

export class Context {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly originalUrl: string;
  /** The session that the path names; undefined for the mock itself. */
  readonly sessionName: string | undefined;
  readonly url: string;
  readonly path: string;
  readonly operation: OperationName | undefined;
  /** Time of arrival, in milliseconds since 1970. */
  readonly time = readTime();
  /** The mock itself until the session of the request is found. */
  session: Session;
  /** Animals of the session when the request entered it. */
  store: PetStore;
  bytes: Uint8Array | undefined;
  preferenceApplied: string | undefined;
  /** For the log, like `drop`. */
  error: Reply['error'];
  drop: true | undefined;
  readonly #number: number;
  readonly #readBody: ReadBody;

  constructor(request: IncomingMessage, response: ServerResponse, mock: Session, readBody: ReadBody) {
    const { method = '', url = '', socket } = request;
    const { session, path } = parseSessionPath(url);
    const end = path.search(/[?#]/);
    this.request = request;
    this.response = response;
    this.method = method;
    this.headers = request.headers as Context['headers'];
    this.originalUrl = url;
    this.sessionName = session;
    this.url = path;
    this.path = end === -1 ? path : path.slice(0, end);
    this.operation = findOperation(method, this.path);
    this.session = mock;
    this.store = mock.store;
    this.#number = (numbers.get(socket) ?? 0) + 1;
    numbers.set(socket, this.#number);
    this.#readBody = readBody;
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.url.slice(this.path.length));
  }

  get isAborted(): boolean {
    return this.response.destroyed || this.request.socket.destroyed;
  }

  /** Port of the client, and number of the request on its connection, which the checked proxy reports too. */
  get sentAs(): string {
    return `${this.request.socket.remotePort}/${this.#number}`;
  }

  /** Reads the body into `bytes`, decoded by its content coding. @throws ApiError for a body that cannot be read */
  async readBody(): Promise<Uint8Array> {
    this.bytes = await this.#readBody(this.request, this.response);
    return this.bytes;
  }

  send(reply: Reply, headers: Reply['headers']): void {
    this.error = reply.error;
    writeReply(this.response, reply, headers);
  }
}
