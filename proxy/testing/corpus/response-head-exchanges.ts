import { gzipSync, zstdCompressSync } from 'node:zlib';
import {
  answer,
  creation,
  errorAnswer,
  fetched,
  lawful,
  list,
  printPet,
  type SampleExchange,
  type SampleResponse,
  stockSays,
  unlawful,
} from './sample-exchange.ts';

function typed(type: string): SampleResponse {
  return answer(200, '[]', { 'Content-Type': type });
}

function coded(coding: string, body: Buffer): SampleResponse {
  return answer(200, body, { 'Content-Type': 'application/json', 'Content-Encoding': coding });
}

/** Statuses that no operation documents. */
const undocumented = [202, 203, 206, 207, 300, 402, 403, 405, 406, 409, 415, 418, 422, 429, 500, 502, 503];

/** Media types, statuses and codings of responses. */
export const responseHeadExchanges: readonly SampleExchange[] = [
  ...['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'].map((type) =>
    lawful(`a response of the type ${type} is allowed`, list.request, typed(type)),
  ),
  lawful(
    'the name of a header in another case is the same header',
    list.request,
    answer(200, '[]', { 'CONTENT-type': 'application/json' }),
  ),
  lawful(
    'headers that the contract does not know are allowed',
    list.request,
    answer(200, '[]', { 'Content-Type': 'application/json', 'X-Total': '0', 'Set-Cookie': 'a=b' }),
  ),
  ...['text/html', 'text/plain', 'text/json', 'application/xml', 'application/octet-stream'].map((type) =>
    unlawful(`a response of the type ${type} is reported`, list.request, typed(type)),
  ),
  unlawful('a response without a media type is reported', list.request, answer(200, '[]', {})),
  unlawful(
    'an Error of another media type is reported',
    list.request,
    answer(401, 'Unauthorized', { 'Content-Type': 'text/plain' }),
  ),
  unlawful('a media type that is none is reported', list.request, typed('json'), {
    name: 'end of process',
    outcome: 'ends',
  }),
  ...undocumented.map((status) =>
    unlawful(`the undocumented status ${status} is reported`, list.request, errorAnswer(status)),
  ),
  unlawful('a list with the status of a creation is reported', list.request, answer(201, printPet())),
  unlawful('a creation with the status of a list is reported', creation.request, answer(200, printPet())),
  unlawful('a list that is not found is reported', list.request, errorAnswer(404)),
  unlawful('a creation that is not found is reported', creation.request, errorAnswer(404)),
  unlawful('a fetch that is a bad request is reported', fetched.request, errorAnswer(400)),
  unlawful('an answer without content is reported', fetched.request, answer(204, '', {})),
  unlawful('an answer that nothing was modified is reported', list.request, answer(304, '', {})),
  unlawful('a redirect to nowhere is reported', list.request, answer(302, '', {})),
  unlawful(
    'a page of a failing server is reported',
    list.request,
    answer(500, '<h1>Failed</h1>', { 'Content-Type': 'text/html' }),
  ),
  unlawful(
    'a redirect is reported',
    list.request,
    answer(302, '', { Location: '/v1/landing' }),
    stockSays('redirect', 200),
  ),
  unlawful('501 is reported', list.request, errorAnswer(501), stockSays('not implemented', 200)),
  lawful('a response in gzip is allowed', list.request, coded('gzip', gzipSync('[]'))),
  unlawful('a broken list in gzip is reported', list.request, coded('gzip', gzipSync('[{}]'))),
  lawful(
    'a response in zstd is allowed',
    list.request,
    coded('zstd', zstdCompressSync('[]')),
    stockSays('content coding', 500),
  ),
  ...['[', '[{}', '{"id":1,}', "{'id':1}", 'NaN', '<p>'].map((body) =>
    unlawful(
      `the malformed response ${body} is reported`,
      list.request,
      answer(200, body),
      stockSays('malformed response', 500),
    ),
  ),
  unlawful('an empty response is reported', list.request, answer(200), stockSays('malformed response', 500)),
  unlawful(
    'a response with bytes that are no UTF-8 is reported',
    fetched.request,
    answer(200, Buffer.from('{"id":1,"name":"\xff","categoryId":2}', 'latin1')),
    stockSays('byte sequence', 200),
  ),
];
