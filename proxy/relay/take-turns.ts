import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { askWhetherThere } from './ask-whether-there.ts';
import { createPlaces } from './create-places.ts';

/** The most requests of one connection that are under way at once; the others wait, in their order. */
export const MOST_OF_CONNECTION = 4;

/** Begins a request; `giveBack` lets another begin before it has ended, of another connection. */
type Begin = (incoming: IncomingMessage, outgoing: ServerResponse, giveBack: () => void) => void;

/** A client's connection, and its requests. */
interface Connection {
  /** Of the client. */
  readonly address: string;
  readonly open: Set<ServerResponse>;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Lets requests begin when it is their turn and there is a place: those of a connection in their order, connections of one
 * address one after the other, and addresses one after the other, so that a client with many requests does not keep the others
 * waiting. Nothing more is read of a connection while a request of it waits. What waits of a connection that is closed never
 * begins; what is open is closed too.
 */
export function takeTurns(begin: Begin): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  const line = createLine();
  const beginNext = () => {
    while (!line.isEmpty() && places.isFree()) {
      const connection = line.takeFirst() as Connection;
      const [incoming, outgoing] = connection.waiting.shift() as Connection['waiting'][number];
      if (connection.waiting.length === 0) incoming.socket.resume();
      places.take(outgoing);
      connection.open.add(outgoing);
      outgoing.once('close', () => {
        connection.open.delete(outgoing);
        places.leave(outgoing);
        line.add(connection);
        beginNext();
      });
      begin(incoming, outgoing, () => {
        places.letLast(outgoing);
        beginNext();
      });
      line.add(connection);
    }
  };
  const places = createPlaces(beginNext);
  const connect = (socket: Socket): Connection => {
    const connection = { address: socket.remoteAddress ?? '', open: new Set<ServerResponse>(), waiting: [] };
    connections.set(socket, connection);
    socket
      // Node reads on by itself for the body of a request, but the bodies of those that are open are all there.
      .on('resume', () => connection.waiting.length > 0 && socket.pause())
      .once('end', () => askWhetherThere(socket, connection.open))
      .once('close', () => {
        connection.waiting.length = 0;
        line.remove(connection);
        // An older Node closes only the response whose turn it is.
        for (const outgoing of connection.open) outgoing.destroy().emit('close');
      });
    return connection;
  };
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const connection = connections.get(socket) ?? connect(socket);
    connection.waiting.push([incoming, outgoing]);
    line.add(connection);
    beginNext();
    if (connection.waiting.length > 0) socket.pause();
  };
}

/** Creates a line of connections of which a request may begin: addresses in turn, and the connections of each in turn. */
function createLine() {
  const addresses = new Map<string, Set<Connection>>();
  const remove = (connection: Connection) => {
    const connections = addresses.get(connection.address);
    connections?.delete(connection);
    if (connections?.size === 0) addresses.delete(connection.address);
  };
  return {
    isEmpty: () => addresses.size === 0,
    /** Adds a connection, unless no request of it may begin. */
    add: (connection: Connection) => {
      const { address, open, waiting } = connection;
      if (waiting.length === 0 || open.size >= MOST_OF_CONNECTION) return;
      addresses.set(address, (addresses.get(address) ?? new Set()).add(connection));
    },
    remove,
    takeFirst: () => {
      const [connections = new Set<Connection>()] = addresses.values();
      const [connection] = connections;
      if (connection === undefined) return undefined;
      remove(connection);
      // Its address is the last now.
      if (addresses.delete(connection.address)) addresses.set(connection.address, connections);
      return connection;
    },
  };
}
