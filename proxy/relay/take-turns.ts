import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { askWhetherThere } from './ask-whether-there.ts';

/** The most requests of one connection that are under way at once; the others wait, in their order. */
export const MOST_OF_CONNECTION = 4;

/**
 * The most requests of all connections that are under way at once, and so the most connections to the upstream, but for
 * those that have given their places back.
 */
export const MOST_OPEN = 256;

/** Begins a request; `giveBack` lets another begin before it has ended, of another connection. */
type Begin = (incoming: IncomingMessage, outgoing: ServerResponse, giveBack: () => void) => void;

/** A client's connection, and its requests. */
interface Connection {
  readonly open: Set<ServerResponse>;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Lets requests begin when it is their turn: those of a connection in their order, and connections one after the other,
 * so that a client with many requests does not keep the others waiting. Nothing more is read of a connection while
 * a request of it waits. What waits of a connection that is closed never begins; what is open is closed too.
 */
export function takeTurns(begin: Begin): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  /** Those of which a request may begin, the longest waiting first. */
  const ready = new Set<Connection>();
  let open = 0;

  const line = (connection: Connection) => {
    const { open, waiting } = connection;
    if (waiting.length > 0 && open.size < MOST_OF_CONNECTION) ready.add(connection);
  };
  const beginNext = () => {
    for (const connection of ready) {
      if (open >= MOST_OPEN) return;
      ready.delete(connection);
      const [incoming, outgoing] = connection.waiting.shift() as Connection['waiting'][number];
      if (connection.waiting.length === 0) incoming.socket.resume();
      open += 1;
      connection.open.add(outgoing);
      let held = 1;
      const giveBack = () => {
        open -= held;
        held = 0;
        beginNext();
      };
      outgoing.once('close', () => {
        connection.open.delete(outgoing);
        line(connection);
        giveBack();
      });
      begin(incoming, outgoing, giveBack);
      line(connection);
    }
  };
  const connect = (socket: Socket): Connection => {
    const connection: Connection = { open: new Set(), waiting: [] };
    connections.set(socket, connection);
    socket
      // Node reads on by itself for the body of a request, but the bodies of those that are open are all there.
      .on('resume', () => connection.waiting.length > 0 && socket.pause())
      .once('end', () => askWhetherThere(socket, connection.open))
      .once('close', () => {
        connection.waiting.length = 0;
        ready.delete(connection);
        // An older Node closes only the response whose turn it is.
        for (const outgoing of connection.open) outgoing.destroy().emit('close');
      });
    return connection;
  };
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const connection = connections.get(socket) ?? connect(socket);
    connection.waiting.push([incoming, outgoing]);
    line(connection);
    beginNext();
    if (connection.waiting.length > 0) socket.pause();
  };
}
