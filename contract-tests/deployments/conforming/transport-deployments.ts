import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { DeployedReply, DeployedRequest, Deployment } from '../deployment.ts';
import { changeHeaders, changeReply } from './change-reply.ts';

const MEDIA_TYPES = [
  'application/json',
  'application/json;charset=UTF-8',
  'Application/JSON',
  'application/json ; charset="utf-8"',
  'APPLICATION/JSON;Charset=utf-8;v=1',
  'application/json; profile="https://example.com/pets"',
];

const CODINGS: readonly (readonly [string, (bytes: Uint8Array) => Buffer])[] = [
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
];

/** Encodes an answer where the request lets it. */
function encode(coding: string, compress: (bytes: Uint8Array) => Buffer) {
  return (reply: DeployedReply, { headers }: DeployedRequest): DeployedReply => {
    const wanted = (headers['accept-encoding'] ?? '').split(/\s*,\s*/);
    if (!wanted.includes(coding.toLowerCase())) return reply;
    const body = compress(Buffer.from(reply.body));
    return { ...reply, headers: { ...reply.headers, 'Content-Encoding': coding }, body };
  };
}

function addLength(reply: DeployedReply): DeployedReply {
  const length = String(Buffer.byteLength(reply.body));
  return { ...reply, headers: { ...reply.headers, 'Content-Length': length } };
}

/** Closes connections without a word when they have been idle for some milliseconds. */
function closeIdle(server: Server, idle: number): void {
  const timers = new WeakMap<Socket, NodeJS.Timeout>();
  server.prependListener('request', ({ socket }, response) => {
    clearTimeout(timers.get(socket));
    response.on('finish', () =>
      timers.set(
        socket,
        setTimeout(() => socket.destroy(), idle),
      ),
    );
  });
}

function createDeployment(name: string, parts: Omit<Deployment, 'name' | 'breaks'>): Deployment {
  return { name, breaks: [], ...parts };
}

/** Lawful deployments that differ in what HTTP leaves open. */
export const transportDeployments: readonly Deployment[] = [
  ...MEDIA_TYPES.map((type) =>
    createDeployment(`sends ${type}`, { createBehaviour: changeHeaders({ 'Content-Type': type }) }),
  ),
  ...CODINGS.map(([coding, compress]) =>
    createDeployment(`encodes with ${coding}`, { createBehaviour: changeReply(encode(coding, compress)) }),
  ),
  createDeployment('encodes with gzip, the length being told', {
    createBehaviour: changeReply((reply, request) => addLength(encode('gzip', gzipSync)(reply, request))),
  }),
  createDeployment('tells the length of its answers', { createBehaviour: changeReply(addLength) }),
  createDeployment('sends chunks', { createBehaviour: changeHeaders({ 'Transfer-Encoding': 'chunked' }) }),
  createDeployment('closes every connection after its answer', {
    createBehaviour: changeHeaders({ Connection: 'close' }),
  }),
  createDeployment('ends its answers by closing the connection', {
    prepare: (server) =>
      server.prependListener('request', (_request, response) => {
        response.useChunkedEncodingByDefault = false;
      }),
  }),
  ...[0, 2, 10].map((idle) =>
    createDeployment(`closes a connection that is idle for ${idle} ms`, {
      prepare: (server) => closeIdle(server, idle),
    }),
  ),
  createDeployment('gives early hints', {
    prepare: (server) =>
      server.prependListener('request', (_request, response) =>
        response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' }),
      ),
  }),
  createDeployment('sends many headers', {
    createBehaviour: changeHeaders({
      Location: '/v1/pets/1',
      ETag: '"1"',
      Link: '</v1/pets?cursor=2>; rel="next"',
      Deprecation: '@1893456000',
      Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      'Set-Cookie': ['a=1; Secure', 'b=2'],
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Empty': '',
      'X-Long': 'x'.repeat(4000),
    }),
  }),
  createDeployment('takes 5 ms for an answer', {
    createBehaviour: changeReply(async (reply) => {
      await delay(5);
      return reply;
    }),
  }),
  createDeployment('takes up to 20 ms for an answer', {
    createBehaviour: changeReply(async (reply) => {
      await delay(Math.random() * 20);
      return reply;
    }),
  }),
];
