import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Reply } from '../../common/http/reply.ts';
import { writeReply } from '../../common/http/write-reply.ts';
import { Context, LARGEST_BODY } from '../pipeline/context.ts';
import type { Session } from '../session/session.ts';
import { createReadBody } from './read-body.ts';

const readBody = createReadBody(LARGEST_BODY);

/** Number of requests so far on each connection. */
const numbers = new WeakMap<Socket, number>();

export class HttpContext extends Context {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  error: Reply['error'];
  drop: true | undefined;
  readonly #number: number;

  constructor(request: IncomingMessage, response: ServerResponse, mock: Session) {
    const { method = '', url = '', headers, socket } = request;
    super(method, url, headers as Context['headers'], mock);
    this.request = request;
    this.response = response;
    this.#number = (numbers.get(socket) ?? 0) + 1;
    numbers.set(socket, this.#number);
  }

  get isAborted(): boolean {
    return this.response.destroyed || this.request.socket.destroyed;
  }

  get sentAs(): string {
    return `${this.request.socket.remotePort}/${this.#number}`;
  }

  onClose(callback: () => void): void {
    this.response.once('close', callback);
  }

  async readBody(): Promise<Uint8Array> {
    this.bytes = await readBody(this.request, this.response);
    return this.bytes;
  }

  send(reply: Reply, headers: Reply['headers']): void {
    this.error = reply.error;
    writeReply(this.response, reply, headers);
  }
}
