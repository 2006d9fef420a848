import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What an upstream answers, whether it is HTTP or not. */
export interface ScriptedAnswer {
  /** What it has in common with others. */
  readonly kind: string;
  /** What is written, each part as often as it says; each character stands for a byte. */
  readonly parts: readonly (readonly [bytes: string, times: number])[];
  /** How long to wait after whatever is written, in milliseconds; 0 for what is written for ever would fill the memory. */
  readonly pause: number;
  /** What is done with the connection then: a method of a socket, or nothing. */
  readonly ending: 'keep' | 'end' | 'resetAndDestroy';
}

/** The header by which a request says how it is to be answered; the answer has room for some 2,000 characters of controls. */
export function printScript(answer: ScriptedAnswer): readonly [name: string, value: string] {
  return ['X-Answer', Buffer.from(JSON.stringify({ ...answer, kind: '' }), 'latin1').toString('base64')];
}

/**
 * Starts an upstream that answers a request as its own header says, so that the request alone makes what happens happen
 * again. Every other request goes to the server behind it.
 */
export async function startScriptedUpstream(behind: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    serve(socket, new URL(behind));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, [Symbol.asyncDispose]: close };
}

/** Reads requests, one after the other: a proxy sends the next when it has the answer to the one before. */
function serve(socket: Socket, { hostname, port }: URL): void {
  let received = '';
  let isRest: ((bytes: string) => boolean) | undefined;
  let back: Socket | undefined;
  const goOn = () => {
    if (back !== undefined) return back;
    const opened = connect(Number(port), hostname).on('error', () => socket.destroy());
    socket.on('close', () => opened.destroy());
    opened.pipe(socket);
    back = opened;
    return back;
  };
  let isScripted = false;
  socket.on('data', (chunk) => {
    const text = chunk.toString('latin1');
    received += text;
    if (isRest === undefined) {
      const [head] = /^.*?\r\n\r\n/s.exec(received) ?? [];
      if (head === undefined) return;
      const [, script] = /^x-answer: (\S+)\r$/im.exec(head) ?? [];
      isScripted = script !== undefined;
      if (script === undefined) goOn().write(Buffer.from(received, 'latin1'));
      else void play(socket, JSON.parse(Buffer.from(script, 'base64').toString('latin1')));
      isRest = createIsRest(head);
    } else if (!isScripted) goOn().write(chunk);
    if (isRest(received)) return;
    received = '';
    isRest = undefined;
  });
}

/** Whether some of a request is still to come, by what came of it. */
function createIsRest(head: string): (received: string) => boolean {
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  if (!/^transfer-encoding:/im.test(head)) return ({ length: came }) => came < head.length + length;
  // The last chunk is empty, and trailers may follow it.
  return (received) => !/\r\n0\r\n(?:[^\r\n]+\r\n)*\r\n$/.test(received.slice(head.length - 2));
}

async function play(socket: Socket, { parts, pause, ending }: ScriptedAnswer): Promise<void> {
  for (const [bytes, times] of parts) {
    // Without a pause it is all the same to whoever reads it.
    const [part, count] = pause === 0 ? [bytes.repeat(times), 1] : [bytes, times];
    for (let time = 0; time < count && !socket.destroyed; time += 1) {
      socket.write(part, 'latin1');
      if (pause > 0) await delay(pause);
    }
  }
  if (ending !== 'keep') socket[ending]();
}
