import { connect } from 'node:net';

/** A method of a socket. */
type Ending = 'end' | 'destroy' | 'resetAndDestroy';

/** Bytes for a connection of their own. */
export interface RawRequest {
  /** Each character stands for a byte. */
  readonly bytes: string;
  /** What ends the connection once the bytes are sent; `wait` is for the answers. @default 'wait' */
  readonly ending?: Ending | 'wait';
  /** The outcome to wait for, printed as in `Outcome`. @default any answer */
  readonly expected?: string | undefined;
  /** How long the connection may last, in milliseconds. @default 30,000 */
  readonly lifetime?: number;
}

/** A final response; in its texts each character stands for a byte. */
interface Answer {
  readonly status: number;
  /** Its header lines. */
  readonly headers: string;
  readonly body: string;
}

/** What came back on a connection. */
export interface Outcome {
  readonly answers: readonly Answer[];
  /** What is not an answer, or not all of one. */
  readonly rest: string;
  /** The statuses of the answers in their order, and `close` where it was the server that closed the connection. */
  readonly printed: string;
  /** Whether the client did not wait for the server. */
  readonly isCut: boolean;
}

/**
 * Sends bytes on a connection of their own; resolves when the connection is closed, which is bounded.
 *
 * @throws when there is no connection.
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
    // Any other failure is that of a connection that the server has closed.
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

/** Reads the final responses among those that follow each other. */
function readAnswers(received: string) {
  const answers: Answer[] = [];
  let rest = received;
  for (let match = HEAD.exec(rest); match !== null; match = HEAD.exec(rest)) {
    const [head, status, headers = ''] = match;
    const length = Number(/^content-length: (\d+)\r/im.exec(headers)?.[1] ?? 0);
    let body = rest.slice(head.length, head.length + length);
    // The answer to HEAD says the length of a body that does not come.
    if (body.startsWith('HTTP/1.1 ')) body = '';
    if (body !== '' && body.length < length) break;
    if (Number(status) >= 200) answers.push({ status: Number(status), headers, body });
    rest = rest.slice(head.length + body.length);
  }
  return { answers, rest };
}
