import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of requests of one connection that are open at once. Further ones wait, in their order. */
export const MAX_PER_CONNECTION = 4;

/** Maximum number of requests of all connections that are open at once. Further ones are refused. */
export const MAX_OPEN = 1_024;

/** Limits the requests that are open. Nothing more is read from a connection while a request of it waits. */
export function limitRequests(handle: RequestListener, refuse: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, { open: Set<ServerResponse>; waiting: ServerResponse[] }>();
  let total = 0;
  const connect = (socket: Socket) => {
    const connection = { open: new Set<ServerResponse>(), waiting: [] };
    connections.set(socket, connection);
    socket
      // Node resumes the socket for the body of an open request.
      .on('resume', () => connection.waiting.length > 0 && socket.pause())
      .once('close', () => {
        connection.waiting.length = 0;
        // Node closes only the response whose turn it is.
        for (const outgoing of connection.open) outgoing.destroy().emit('close');
      });
    return connection;
  };
  const startNext = (socket: Socket, added: readonly ServerResponse[]) => {
    const { open, waiting } = connections.get(socket) ?? connect(socket);
    waiting.push(...added);
    for (const outgoing of waiting.splice(0, MAX_PER_CONNECTION - open.size)) {
      open.add(outgoing);
      total += 1;
      outgoing.once('close', () => {
        if (open.delete(outgoing)) total -= 1;
        startNext(socket, []);
      });
      if (total > MAX_OPEN) refuse(outgoing.req, outgoing);
      else handle(outgoing.req, outgoing);
    }
    if (waiting.length > 0) socket.pause();
    else socket.resume();
  };
  return ({ socket }, outgoing) => startNext(socket, [outgoing]);
}
