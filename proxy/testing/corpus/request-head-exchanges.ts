import { get, type HttpRequest } from '../../../mock/testing/http-case.ts';
import {
  answer,
  creation,
  errorAnswer,
  fetched,
  lawful,
  list,
  type SampleExchange,
  stockSays,
  unlawful,
} from './sample-exchange.ts';

function withKey(authorization: string | undefined): HttpRequest {
  return get('/pets', { Authorization: authorization });
}

/** Requests that no operation is for, by method and path. */
const unrouted: readonly [string, string][] = [
  ['GET', '/'],
  ['GET', '/nothing'],
  ['GET', '/PETS'],
  ['GET', '/pet'],
  ['GET', '/pets/1/2'],
  ['GET', '//pets'],
  ['POST', '/messages'],
  ['POST', '/pets/1'],
  ['PUT', '/pets'],
  ['PATCH', '/pets/1'],
  ['DELETE', '/pets'],
  ['DELETE', '/pets/1'],
  ['OPTIONS', '/pets'],
  ['OPTIONS', '/pets/1'],
];

const noContent = answer(204, '', {});

/** Keys, methods and paths of requests. */
export const requestHeadExchanges: readonly SampleExchange[] = [
  ...['Bearer k', 'Bearer  k', 'Bearer\tk', 'Bearer a.b-c_d~e+f/g=='].map((value) =>
    lawful(`Authorization: ${JSON.stringify(value)} is allowed`, withKey(value), list.response),
  ),
  lawful(
    'the name of Authorization in another case is the same header',
    get('/pets', { Authorization: undefined, AUTHORIZATION: 'Bearer k' }),
    list.response,
  ),
  ...['bearer k', 'BEARER k', 'beArer  k'].map((value) =>
    lawful(
      `Authorization: ${value} is allowed`,
      withKey(value),
      list.response,
      stockSays('scheme', 200, 'Error request 401'),
    ),
  ),
  ...['Bearer', 'Bearer,k', 'Bearerk', 'Basic azpr', 'Token k', 'k', ''].map((value) =>
    unlawful(`Authorization: ${value} is reported`, withKey(value), list.response),
  ),
  unlawful('a missing key is reported', withKey(undefined), list.response),
  unlawful('a missing key that is refused is reported', withKey(undefined), errorAnswer(401)),
  unlawful(
    'a missing key of a creation is reported',
    { ...creation.request, headers: { ...creation.request.headers, Authorization: undefined } },
    creation.response,
  ),
  unlawful(
    'a missing key is reported beside what else is wrong',
    get('/pets/abc', { Authorization: undefined }),
    answer(200, '{}'),
  ),
  ...unrouted.map(([method, path]) =>
    unlawful(`${method} ${path} is reported`, { method, path }, errorAnswer(404)),
  ),
  unlawful(
    'nothing is said of the response to a request that no operation is for',
    { method: 'DELETE', path: '/pets/1' },
    noContent,
  ),
  unlawful(
    'a body of a request that no operation is for is handed on',
    { ...creation.request, method: 'PUT' },
    errorAnswer(405),
  ),
  unlawful(
    'a path with dot segments is reported',
    get('/x/../pets'),
    list.response,
    stockSays('dot segments', 200),
  ),
  unlawful(
    'GET with a body is reported',
    { ...creation.request, method: 'GET' },
    list.response,
    stockSays('body of GET', 501),
  ),
  lawful(
    'HEAD of a list is allowed',
    { method: 'HEAD', path: '/pets?limit=1' },
    list.response,
    stockSays('head', 500),
  ),
  unlawful(
    'HEAD of an animal whose id is none is reported',
    { method: 'HEAD', path: '/pets/abc' },
    fetched.response,
    stockSays('head', 500),
  ),
  unlawful(
    'a preflight request is reported',
    {
      method: 'OPTIONS',
      path: '/pets',
      headers: { Origin: 'http://app.test', 'Access-Control-Request-Method': 'POST' },
    },
    errorAnswer(405),
    stockSays('preflight', 204),
  ),
];
