import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type JsonObject, printExactJson } from '../../../common/json/exact-json.ts';
import { answerOtherwise, type ChangeReply, cacheLists, change, refuse } from '../changes.ts';
import { type CreateBehaviour, type Deployment, deployments } from '../deployment.ts';
import { createError, createPage } from '../replies.ts';
import { always, isInChunks } from '../requests.ts';

function tooMany(retryAfter?: string) {
  return createError(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
}

function refuseSome(isMeant: (count: number) => boolean, createRetryAfter?: () => string): CreateBehaviour {
  return () => {
    let count = 0;
    return async (request, asMock) => {
      count += 1;
      return isMeant(count) ? tooMany(createRetryAfter?.()) : asMock(request);
    };
  };
}

const each = (number: number) => (count: number) => count % number === 0;
const aDay = () => '86400';
const now = () => new Date().toUTCString();

/** A page of so many bytes, whatever limit is. */
function cutBytes(list: readonly JsonObject[]): readonly JsonObject[] {
  let left = 4096;
  return list.filter((animal, index) => {
    left -= printExactJson(animal).length;
    return index === 0 || left > 0;
  });
}

function limitRate(atOnce: number): CreateBehaviour {
  return () => {
    let [tokens, last] = [atOnce, performance.now()];
    return async (request, asMock) => {
      const time = performance.now();
      tokens = Math.min(atOnce, tokens + (time - last) * 0.3);
      last = time;
      if (tokens < 1) return tooMany('1');
      tokens -= 1;
      return asMock(request);
    };
  };
}

function lockOut(): CreateBehaviour {
  return () => {
    let wrong = 0;
    return async (request, asMock) => {
      const isLocked = wrong >= 10;
      if (isLocked) wrong = 0;
      const reply = isLocked ? tooMany('0') : await asMock(request);
      if (reply.status === 401) wrong += 1;
      return reply;
    };
  };
}

const mediaTypes = [
  'application/json',
  'application/json;charset=UTF-8',
  'Application/JSON',
  'application/json ; charset="utf-8"',
  'APPLICATION/JSON;Charset=utf-8;profile="https://example.com/pets"',
];

const chunked = { 'transfer-encoding': 'chunked' };

const codings = { gzip: gzipSync, GZIP: gzipSync, deflate: deflateSync, br: brotliCompressSync };

function inTurns(changes: readonly ChangeReply[]): CreateBehaviour {
  return () => {
    let turn = 0;
    return change.reply(always, (...reply) => changes[turn++ % changes.length]?.(...reply) ?? {})();
  };
}

function encode(coding: string, compress: (text: string) => Buffer): ChangeReply {
  return ({ headers, body }, request) => {
    const wanted = (request.headers['accept-encoding'] ?? '').split(/\s*,\s*/);
    if (!wanted.includes(coding.toLowerCase())) return {};
    return { headers: { ...headers, 'content-encoding': coding }, body: compress(String(body)) };
  };
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

/** Conforming deployments that refuse too many requests, or take their time. */
export const busyDeployments: readonly Deployment[] = [
  ...deployments({
    'refuses each third request with 429 and Retry-After: 0': refuseSome(each(3), () => '0'),
    'refuses each 20th request with 429 and the time of this second in Retry-After': refuseSome(
      each(20),
      now,
    ),
    'refuses each 200th request with 429 and no Retry-After': refuseSome(each(200)),
    'refuses all requests after the 60th for a day': refuseSome((count) => count > 60, aDay),
    'is behind a gateway that refuses each 20th request with the page of a 429': () => {
      let count = 0;
      return async (request, asMock) => {
        count += 1;
        return count % 20 === 0 ? createPage(429, { 'retry-after': '0' }) : asMock(request);
      };
    },
    'answers each 50th request 503, and asks to wait': () => {
      let count = 0;
      return async (request, asMock) => {
        count += 1;
        return count % 50 === 0 ? createError(503, { 'retry-after': '0' }) : asMock(request);
      };
    },
    'lists no more than 12 animals where they are asked for by status': change.list((list, { query }) =>
      query.has('status') ? list.slice(0, 12) : list,
    ),
    'lists as many animals as there is room for in 4 kB, and one at least': change.list(cutBytes),
    'refuses for once after ten wrong keys': lockOut(),
    'takes 150 requests at once, then 300 a second': limitRate(150),
    'takes up to 20 ms for an answer': () => {
      let turn = 0;
      return async (request, asMock) => {
        turn += 7;
        await delay(turn % 20);
        return asMock(request);
      };
    },
  }),
  ...deployments(
    {
      'has 15 animals, and lists no more than 20, and 5 of a status': change.list((list, { query }) =>
        list.slice(0, query.has('status') ? 5 : 20),
      ),
    },
    { options: { animals: 15 } },
  ),
  ...deployments(
    { 'keeps lists without limit in a cache for 300 ms': cacheLists({}, 300) },
    { options: { animals: 10 }, target: { settle: 2000 } },
  ),
  ...deployments(
    { 'takes 300 requests a second, with 200 in --max-rate': limitRate(50) },
    { target: { maxRate: 200 } },
  ),
];

/** Conforming deployments that differ in what HTTP leaves open. */
export const transportDeployments: readonly Deployment[] = [
  ...deployments({
    'sends application/json in any case, with a charset and other parameters': inTurns(
      mediaTypes.map((type) => ({ headers }) => ({ headers: { ...headers, 'content-type': type } })),
    ),
    'wants the length of every body': refuse(isInChunks, 411),
    'cuts the connection on a body over 1 MiB': answerOtherwise(
      ({ body }) => body.length > 1_048_576,
      async () => 'drop',
    ),
    'is behind a gateway that refuses a body over 1 MiB with a page': answerOtherwise(
      ({ body }) => body.length > 1_048_576,
      async () => createPage(413),
    ),
    'sends many headers': change.headers({
      location: '/v1/pets/1',
      etag: '"1"',
      link: '</v1/pets?cursor=2>; rel="next"',
      deprecation: '@1893456000',
      sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      'set-cookie': ['a=1; Secure', 'b=2'],
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-empty': '',
      'x-long': 'x'.repeat(4000),
    }),
  }),
  ...deployments(
    {
      'encodes with gzip, deflate and br': inTurns(
        Object.entries(codings).map(([coding, compress]) => encode(coding, compress)),
      ),
      'sends chunks': change.headers(chunked),
      'closes every connection after its answer': change.headers({ connection: 'close' }),
    },
    { overHttp: true },
  ),
  { name: 'closes a connection that is idle for 5 ms', prepare: (server) => closeIdle(server, 5) },
  {
    name: 'gives early hints',
    prepare: (server) =>
      server.prependListener('request', (_request, response) =>
        response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' }),
      ),
  },
];
