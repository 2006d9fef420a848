import { once } from 'node:events';
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { resetConnection } from '../../common/http/reset-connection.ts';
import { SESSION_HEADER } from '../../common/http/session-names.ts';

/** Maximum size of the headers of a message, in bytes: that of Chromium, so that the proxy refuses no more than the browser. */
const MAX_HEADER_SIZE = 256 * 1024;

/** Port of a URL that names none. */
const DEFAULT_PORT = 80;

const STATUS_PROCESSING = 102;

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** Headers that are for one connection, so that a proxy does not forward them. */
const ofConnection = /^(?:connection|keep-alive|proxy-connection|proxy-authorization)$/i;

type Header = readonly [name: string, value: string];

/** A proxy that is listening. */
export interface NamingProxy {
  readonly url: string;
  /** Breaks off the open requests, and stops listening. */
  close(): void;
}

/**
 * Starts an HTTP proxy for a browser, which adds the headers of a session to the requests to these origins. A browser does not know
 * headers that are added behind it: it sends no preflight for them, and a redirect to another origin is a request without them.
 * @param origins with the scheme `http`, because the proxy cannot read HTTPS.
 */
export async function startNamingProxy(name: string, origins: ReadonlySet<string>): Promise<NamingProxy> {
  const sockets = new Set<Duplex>();
  const keep = (socket: Duplex) => {
    sockets.add(socket);
    // Both sides may break a connection at any time.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const nameIn = (target: URL, headers: readonly Header[]) =>
    origins.has(target.origin) ? [...headers, [SESSION_HEADER, name] as const] : headers;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_SIZE,
    requestTimeout: 0,
    requireHostHeader: false,
    insecureHTTPParser: true,
  });
  server.on('connection', keep);

  server.on('request', (incoming, outgoing) => {
    const target = readTarget(incoming);
    if (target === undefined) {
      outgoing.writeHead(400).end();
      return;
    }
    outgoing.sendDate = false;
    const sent = send(incoming, target, nameIn(target, withoutHopByHop(incoming)));
    sent.on('information', ({ statusCode }) => {
      if (statusCode === STATUS_PROCESSING) outgoing.writeProcessing();
    });
    sent.on('response', (response) => {
      const { statusCode = 0, statusMessage } = response;
      outgoing.writeHead(statusCode, statusMessage, withoutHopByHop(response).flat());
      outgoing.flushHeaders();
      pipeline(response, outgoing, () => {});
    });
    sent.on('error', () => {
      // Without a proxy the browser would see the broken connection as well.
      if (outgoing.headersSent) outgoing.destroy();
      else resetConnection(outgoing);
    });
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });

  server.on('upgrade', (incoming, socket, head) => {
    const target = readTarget(incoming);
    if (target === undefined) {
      socket.destroy();
      return;
    }
    const sent = send(incoming, target, nameIn(target, readHeaders(incoming)));
    sent.on('upgrade', (response, upstream, first) => {
      keep(upstream);
      socket.write(printHead(response));
      socket.write(first);
      upstream.write(head);
      connectBoth(socket, upstream);
    });
    sent.on('response', (response) => {
      socket.write(printHead(response));
      pipeline(response, socket, () => {});
    });
    sent.on('error', () => socket.destroy());
    sent.end();
  });

  // Browsers open a tunnel for HTTPS and for a WebSocket, and Playwright opens one for each request of its own.
  server.on('connect', ({ url = '' }, socket, head) => {
    const target = URL.parse(`http://${url}`);
    if (target === null) {
      socket.destroy();
      return;
    }
    if (origins.has(target.origin)) {
      socket.write(ESTABLISHED);
      socket.unshift(head);
      server.emit('connection', socket);
      return;
    }
    keep(socket);
    const upstream = connect(addressOf(target), () => {
      socket.write(ESTABLISHED);
      upstream.write(head);
      connectBoth(socket, upstream);
    });
    keep(upstream);
    upstream.on('error', () => socket.destroy());
  });

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** Returns the URL of a request; in a tunnel, its host has the origin. */
function readTarget({ url = '', headers }: IncomingMessage): URL | undefined {
  const target = URL.parse(url, `http://${headers.host}`);
  return target?.protocol === 'http:' ? target : undefined;
}

function send({ method, url = '' }: IncomingMessage, target: URL, headers: readonly Header[]) {
  return sendRequest({
    ...addressOf(target),
    method,
    path: url.replace(/^http:\/\/[^/?]*/i, '').replace(/^(?!\/)/, '/'),
    headers: headers.flat(),
    setHost: false,
    agent: false,
    maxHeaderSize: MAX_HEADER_SIZE,
    insecureHTTPParser: true,
  });
}

function addressOf({ hostname, port }: URL) {
  // Browsers find these names on this machine, and the resolver of a system may not.
  const isLocal = hostname.endsWith('.localhost');
  const host = isLocal ? 'localhost' : hostname.replaceAll(/^\[|\]$/g, '');
  return { host, port: Number(port || DEFAULT_PORT) };
}

function readHeaders({ rawHeaders }: IncomingMessage): Header[] {
  return rawHeaders.flatMap((header, index) =>
    index % 2 === 0 ? [[header, rawHeaders[index + 1] ?? ''] as const] : [],
  );
}

function withoutHopByHop(message: IncomingMessage): Header[] {
  return readHeaders(message).filter(([header]) => !ofConnection.test(header));
}

function printHead(response: IncomingMessage): string {
  const lines = readHeaders(response).map(([header, value]) => `${header}: ${value}\r\n`);
  return `HTTP/1.1 ${response.statusCode} ${response.statusMessage}\r\n${lines.join('')}\r\n`;
}

/** Forwards each of two connections to the other, until one of them ends. */
function connectBoth(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one);
  one.on('close', () => other.destroy());
  other.on('close', () => one.destroy());
}
