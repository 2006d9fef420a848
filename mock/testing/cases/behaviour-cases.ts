import { get, type HttpCase, type HttpRequest, post, refusal } from '../../../tools/testing/http-case.ts';
import { samplePets } from '../../../tools/testing/start-test-mock.ts';
import type { Difference } from '../../choices/choices.ts';

const next = 4n;
const rex = { id: next, name: 'Rex', categoryId: 2n };
const pets = '/v1/pets';
const body = '{"name":"Rex","categoryId":2}';
const twice =
  '{"name":"Rex","id":[{"name":","}],"name":"Max \\"}","categoryId":1,"n\\u0061me":"Leo","categoryId":2}';

function answers(behaviour: Difference, request: HttpRequest, status: number, expected: object): HttpCase {
  return { options: { behaviour }, request, answer: { status, ...expected } };
}

const page = { 'content-type': 'text/html; charset=utf-8' };
const sent = { 'content-type': 'application/json; charset=utf-8', location: `${pets}/${next}` };

const remove = (path: string, headers = {}): HttpRequest => ({ method: 'DELETE', path, headers });
const withoutKey = { Authorization: undefined };
const publicPaths = { unknownPathWithoutKey: 404 } as const;

/** Behaviours that the contract suite does not look at. Source: mock/choices/choices.ts */
export const behaviourCases: readonly HttpCase[] = [
  answers({}, post(pets, twice), 201, { body: { ...rex, name: 'Leo' } }),
  answers({ duplicateMembers: 'first' }, post(pets, twice), 201, { body: { ...rex, categoryId: 1n } }),
  refusal(post(pets, twice), 400, ['"name" twice'], {}, { behaviour: { duplicateMembers: 'refuse' } }),
  refusal(post(pets, body.replace('2', '2.0')), 400, ['categoryId', '2.0'], {}, { behaviour: 'strict' }),
  ...['{"categoryId":2}', '{"name":"Rex","categoryId":"2"}', twice, body.replace('2', '2.0')].map((one) =>
    refusal(
      post(pets, one),
      400,
      ['The request is invalid.'],
      {},
      { behaviour: { refusedMember: 'absent', duplicateMembers: 'refuse', integerNotations: 'refused' } },
    ),
  ),
  answers({ errorCodes: { 404: 'NO_PET', 400: 'BAD' } }, get(`${pets}/999`), 404, {
    body: { code: 'NO_PET', message: 'No animal has the id 999.', status: 404n },
  }),
  answers({ errorCodes: { 404: 'NO_PET' } }, get(`${pets}?limit=0`), 400, {
    body: {
      code: 'invalid_request',
      message: 'limit must be an integer from 1 to 100, not "0".',
      status: 400n,
    },
  }),
  refusal(
    post(pets, '{"name":"Bella","categoryId":2}'),
    409,
    ['name'],
    {},
    { behaviour: { uniqueNames: 'conflict' } },
  ),
  answers({ unknownPaths: 'html' }, get('/v1/nothing'), 404, { headers: page }),
  answers({ charset: 'utf-8', location: 'present' }, post(pets, body), 201, { headers: sent, body: rex }),
  answers({ unknownMembers: 'keep' }, post(pets, body.replace('{', '{"id":5,"tags":[{"a":1e2}],')), 201, {
    body: { ...rex, tags: [{ a: 100n }] },
  }),
  answers({ order: 'name', pageSize: 7 }, get(pets), 200, {
    body: samplePets.toSorted((one, other) => (String(one.name) < String(other.name) ? -1 : 1)),
  }),
  answers({ trailingSlash: 'same' }, get(`${pets}/1/`), 200, { body: samplePets[0] }),
  answers({ trailingSlash: 'same' }, post(`${pets}/`, body), 201, { body: rex }),
  answers({ otherMediaTypes: 'read' }, post(pets, body, { 'Content-Type': 'text/plain' }), 201, {
    body: rex,
  }),
  answers({ head: 405 }, { method: 'HEAD', path: pets }, 405, { headers: { allow: 'GET, POST' } }),
  ...[`${pets}/1`, `${pets}/99`, `${pets}/%ff`].map((path) =>
    answers({ head: 405 }, { method: 'HEAD', path }, 405, { headers: { allow: 'GET' } }),
  ),
  answers({ head: 405 }, { method: 'HEAD', path: '/v1/nothing' }, 404, { headers: { allow: undefined } }),
  ...[remove(pets), post(`${pets}/1`, body), get('/messages')].flatMap((request) => [
    refusal(request, 404, [], { allow: undefined }, { behaviour: { otherMethods: 404 } }),
    refusal(request, 405, [], { allow: undefined }, { behaviour: { allow: 'absent' } }),
  ]),
  ...['/v1/nothing', `${pets}/1/`, '/messages/nothing'].map((path) =>
    refusal(get(path, withoutKey), 404, ['There is nothing at'], {}, { behaviour: publicPaths }),
  ),
  ...[get(pets, withoutKey), get(`${pets}/99`, withoutKey), remove(pets, withoutKey)].map((request) =>
    refusal(request, 401, ['API key'], {}, { behaviour: publicPaths }),
  ),
  refusal(get(`${pets}?page=1`), 400, ['there is no parameter "page"'], {}, { behaviour: 'strict' }),
  refusal(post(pets, body, { 'Content-Type': 'text/plain' }), 415, [], {}, { behaviour: 'strict' }),
];
