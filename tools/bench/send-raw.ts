import { connect } from 'node:net';

/** A method of a socket. */
type Ending = 'end' | 'destroy' | 'resetAndDestroy';

/** Bytes that are sent on a new connection. */
export interface RawRequest {
  /** Each character is one byte. */
  readonly bytes: string;
  /** How the client ends the connection after it has sent the bytes; `wait`: after the responses. @default 'wait' */
  readonly ending?: Ending | 'wait';
  /** The outcome to wait for, printed as in `Outcome`. @default any response */
  readonly expected?: string | undefined;
  /** How long the connection may last, in milliseconds. @default 30,000 */
  readonly lifetime?: number;
}

/** A final response. In its strings each character is one byte. */
interface Answer {
  readonly status: number;
  /** Its header lines. */
  readonly headers: string;
  readonly body: string;
}

/** The bytes that were received on a connection. */
export interface Outcome {
  readonly answers: readonly Answer[];
  /** Bytes that are no response, or an incomplete one. */
  readonly rest: string;
  /** The statuses of the responses in order, and `close` if the server closed the connection. */
  readonly printed: string;
  /** True if the client closed the connection without waiting for the server. */
  readonly isCut: boolean;
}

/**
 * Sends bytes on a new connection, and resolves when the connection is closed.
 *
 * @throws if there is no connection.
 */
export function sendRaw(url: string, request: RawRequest): Promise<Outcome> {
  const { bytes, ending = 'wait', expected = '200', lifetime = 30_000 } = request;
  const awaited = expected.endsWith('close') ? Number.POSITIVE_INFINITY : expected.split(' ').length;
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let received = '';
  let ended: Ending | undefined;
  const end = (how: Ending) => {
    ended = how;
    socket[how]();
  };
  const timer = setTimeout(end, lifetime, 'destroy');
  socket.on('data', (chunk) => {
    received += chunk;
    if (ending === 'wait' && readAnswers(received).answers.length >= awaited) end('end');
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // Any other failure comes from a connection that the server has closed.
    if (socket.bytesWritten === 0 && error.code !== 'ECONNRESET') reject(error);
  });
  socket.on('close', () => {
    clearTimeout(timer);
    const { answers, rest } = readAnswers(received);
    const printed = [...answers.map(({ status }) => status), ...(ended ? [] : ['close'])].join(' ');
    resolve({ answers, rest, printed, isCut: ended !== undefined && ended !== 'end' });
  });
  socket.write(Buffer.from(bytes, 'latin1'), () => {
    if (ending !== 'wait') end(ending);
  });
  return promise;
}

const HEAD = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[\w!#$%&'*+.^`|~-]+:[^\r\n]*\r\n)*)\r\n/;

/** Reads the final responses of a connection. */
function readAnswers(received: string) {
  const answers: Answer[] = [];
  let rest = received;
  for (let match = HEAD.exec(rest); match !== null; match = HEAD.exec(rest)) {
    const [head, status, headers = ''] = match;
    const length = Number(/^content-length: (\d+)\r/im.exec(headers)?.[1] ?? 0);
    let body = rest.slice(head.length, head.length + length);
    // A response to HEAD has the length of a body that is not sent.
    if (body.startsWith('HTTP/1.1 ')) body = '';
    if (body !== '' && body.length < length) break;
    if (Number(status) >= 200) answers.push({ status: Number(status), headers, body });
    rest = rest.slice(head.length + body.length);
  }
  return { answers, rest };
}
