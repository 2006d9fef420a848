import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../tools/testing/listen.ts';
import { startNamingProxy } from './start-naming-proxy.ts';

/** Starts two servers that repeat the headers they get, and a proxy that names the session `w1` in the requests to one of them. */
async function startBoth() {
  const repeat = ({ headers, url }: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    response.end(JSON.stringify({ url, headers }));
  };
  const own = await listen(createServer(repeat));
  const foreign = await listen(createServer(repeat));
  const proxy = await startNamingProxy('w1', new Set([own]));
  onTestFinished(proxy.close);
  return { own, foreign, proxy };
}

/** Sends a request by a proxy, as a browser does. */
async function sendBy(proxy: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const { host } = new URL(path);
  const sent = request(proxy, { path, headers: { host, ...headers }, agent: false }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (response === undefined) throw new Error('no response');
  return { response, received: JSON.parse(await text(response)) };
}

test('a request to an origin of the session is named, and keeps its target', async () => {
  const { own, proxy } = await startBoth();
  const headers = { 'proxy-connection': 'keep-alive' };
  const { response, received } = await sendBy(proxy.url, `${own}/a%2Fb/../c?d=[1]`, headers);
  expect(received.url).toBe('/a%2Fb/../c?d=[1]');
  expect(received.headers).toMatchObject({
    'x-animal-store-session': 'w1',
    host: new URL(own).host,
  });
  expect(received.headers).not.toHaveProperty('proxy-connection');
  expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
});

test('a request to another origin stays as it is', async () => {
  const { foreign, proxy } = await startBoth();
  const { received } = await sendBy(proxy.url, `${foreign}/`, { 'x-user': '7' });
  expect(received.headers).toEqual({ 'x-user': '7', connection: 'close', host: new URL(foreign).host });
});

test.for([
  ['own', 'w1'],
  ['foreign', undefined],
] as const)('a request in a tunnel to the %s origin has the session %s', async ([target, session]) => {
  const { proxy, ...origins } = await startBoth();
  const { host } = new URL(origins[target]);
  const sent = request(proxy.url, { method: 'CONNECT', path: host }).end();
  const [, socket] = await once(sent, 'connect');
  const inside = request({ createConnection: () => socket, headers: { host }, path: '/' }).end();
  const [response]: IncomingMessage[] = await once(inside, 'response');
  const { headers } = JSON.parse(await text(response as IncomingMessage));
  expect(headers['x-animal-store-session']).toBe(session);
  socket.destroy();
});

test('a connection that the server breaks is broken for the browser too', async () => {
  const { proxy } = await startBoth();
  const broken = await listen(createServer((incoming) => incoming.socket.destroy()));
  await expect(sendBy(proxy.url, `${broken}/`)).rejects.toThrow('ECONNRESET');
});

test('the proxy closes while a tunnel is open', async () => {
  const { own, proxy } = await startBoth();
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  socket.write(`CONNECT ${new URL(own).host} HTTP/1.1\r\n\r\n`);
  await once(socket, 'data');
  proxy.close();
  await once(
    socket.on('error', () => {}),
    'close',
  );
  await expect(sendBy(proxy.url, `${own}/`)).rejects.toThrow('ECONNREFUSED');
});

test('the head of a stream arrives before its first byte', async () => {
  const { proxy } = await startBoth();
  const stream = await listen(createServer((_request, response) => response.flushHeaders()));
  const sent = request(proxy.url, { path: `${stream}/`, agent: false }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  expect(response?.statusCode).toBe(200);
  sent.on('error', () => {}).destroy();
});

test('names and values of headers stay as they are, also of those that are repeated', async () => {
  const { proxy } = await startBoth();
  const repeat = await listen(
    createServer(({ rawHeaders }, response) => {
      response.writeHead(200, ['X-Twice', 'a', 'X-Twice', 'b']).end(JSON.stringify(rawHeaders));
    }),
  );
  const { host } = new URL(repeat);
  const headers = ['Host', host, 'X-Once', 'A', 'x-twice', 'a', 'X-Twice', 'b'];
  const sent = request(proxy.url, { method: 'DELETE', path: `${repeat}/`, headers, agent: false }).end();
  const [response]: IncomingMessage[] = await once(sent, 'response');
  const received: string[] = JSON.parse(await text(response as IncomingMessage));
  expect(received.slice(0, headers.length)).toEqual(headers);
  expect(received.slice(headers.length)).toEqual(['Connection', 'close']);
  const { rawHeaders = [] } = response ?? {};
  expect(rawHeaders.filter((_, index) => /^X-Twice$/.test(rawHeaders[index - (index % 2)] ?? ''))).toEqual([
    'X-Twice',
    'a',
    'X-Twice',
    'b',
  ]);
});

/** Starts a server that repeats what comes through an upgraded connection, and opens one by a proxy. */
async function upgrade(proxy: string, own: Server) {
  const upstream: Socket[] = [];
  own.on('upgrade', (incoming, socket) => {
    upstream.push(socket as Socket);
    const session = incoming.headers['x-animal-store-session'];
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${session} `,
    );
    socket.on('error', () => {}).pipe(socket);
  });
  const { port } = own.address() as AddressInfo;
  const { port: proxyPort } = new URL(proxy);
  const socket = connect(Number(proxyPort), '127.0.0.1').on('error', () => {});
  const host = `127.0.0.1:${port}`;
  socket.write(
    `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello`,
  );
  return { socket, upstream };
}

async function readUntil(socket: Socket, end: string): Promise<string> {
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  await expect.poll(() => received).toContain(end);
  return received;
}

test.for(['the client', 'the server', 'the proxy'])(
  'an upgraded connection is named and carries both ways, until %s ends it',
  async (who) => {
    const server = createServer();
    const own = await listen(server);
    const proxy = await startNamingProxy('w1', new Set([own]));
    onTestFinished(proxy.close);
    const { socket, upstream } = await upgrade(proxy.url, server);
    expect(await readUntil(socket, 'hello')).toMatch(/^HTTP\/1\.1 101 .*\r\n\r\nw1 hello$/s);
    const [other] = upstream;
    if (who === 'the client') socket.destroy();
    if (who === 'the server') other?.destroy();
    if (who === 'the proxy') proxy.close();
    await expect.poll(() => [socket.destroyed, other?.destroyed]).toEqual([true, true]);
  },
);
