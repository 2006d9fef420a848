import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A response, whether it is HTTP or not. */
export interface ScriptedAnswer {
  /** Each character is a byte. */
  readonly bytes: string;
  /** A method of the socket, which is called afterwards. */
  readonly ending: 'keep' | 'end' | 'resetAndDestroy';
}

/** An upstream that answers as a test wants. */
export interface ScriptedUpstream extends AsyncDisposable {
  readonly url: string;
  /** Returns the header with which a request gets this answer. */
  script(answer: ScriptedAnswer): Readonly<Record<string, string>>;
  forget(script: Readonly<Record<string, string>>): void;
  /** Breaks off all connections. */
  disconnect(): void;
}

/** Starts a scripted upstream. Requests without the header of a script go to the server at `url`. */
export async function startScriptedUpstream(url: string): Promise<ScriptedUpstream> {
  const sockets = new Set<Socket>();
  const answers = new Map<string, ScriptedAnswer>();
  let scripts = 0;
  const { hostname, port } = new URL(url);
  const server = createServer((socket) => {
    let behind: Socket | undefined;
    let isScripted = false;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket) && behind?.destroy());
    socket.on('data', (chunk) => {
      // A proxy sends the next request when it has the answer to the last one, and the headers of each at once.
      const [head] = /^[A-Z]+ [^\r\n]* HTTP\/1\.1\r\n(?:[^\r\n]+\r\n)*/.exec(chunk.toString('latin1')) ?? [];
      const answer = answers.get(/^x-answer: (\S+)\r$/im.exec(head ?? '')?.[1] ?? '');
      if (head !== undefined) isScripted = answer !== undefined;
      if (answer !== undefined) {
        socket.write(answer.bytes, 'latin1');
        if (answer.ending !== 'keep') socket[answer.ending]();
      } else if (!isScripted) {
        if (behind === undefined) {
          behind = connect(Number(port), hostname).on('error', () => socket.destroy());
          behind.pipe(socket);
        }
        behind.write(chunk);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  const close = async () => {
    server.close();
    disconnect();
  };
  const script = (answer: ScriptedAnswer) => {
    scripts += 1;
    answers.set(String(scripts), answer);
    return { 'X-Answer': String(scripts) };
  };
  const forget = (script: Readonly<Record<string, string>>) => void answers.delete(script['X-Answer'] ?? '');
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}/v1`, script, forget, disconnect, [Symbol.asyncDispose]: close };
}
