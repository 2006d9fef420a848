import { get, type HttpCase, refusal } from '../../../tools/testing/http-case.ts';
import { samplePets } from '../../../tools/testing/start-test-mock.ts';

const sunset = 'Thu, 05 Dec 2030 00:00:00 GMT';
const headers = { sunset, link: '</v1/pets>; rel="successor-version"' };
const [bella] = samplePets;

const found = (path: string, body: unknown, options = {}): HttpCase => {
  const answer = { status: 200, headers: { 'content-type': 'application/json', ...headers }, body };
  return { request: get(`/v1/pets/${path}`), options, answer };
};
const at = (time: string) => ({ now: new Date(time) });

const unused = '4 0 -1 9007199254740992 9223372036854775807 -9223372036854775808'.split(' ');
// No animal has an id that is not a canonical int64.
const notCanonical = [
  ...'007 01 1.0 1e0 +1 %2B1 -0 0x1 1%20 %201 abc %D9%A1 1,2 1%00 1%2F'.split(' '),
  ...['9223372036854775808', '-9223372036854775809', '1'.repeat(5000)],
];

/** Source: specification, GET /pets/{petId} and Versioning; docs/reference/unspecified.md */
export const getPetCases: readonly HttpCase[] = [
  ...samplePets.map((pet) => found(`${pet.id}`, pet)),
  found('%31?limit=0&status=lost', bella),
  { request: { method: 'HEAD', path: '/v1/pets/1' }, answer: { status: 200, headers } },
  found('1', bella, at('2030-12-04T23:59:59.999Z')),
  ...unused.map((id) => refusal(get(`/v1/pets/${id}`), 404, [id], headers)),
  ...notCanonical.map((id) => refusal(get(`/v1/pets/${id}`), 404, ['No animal'])),
  refusal(get('/v1/pets/%ZZ'), 404, ['/v1/pets/%ZZ']),
  ...['GET', 'HEAD', 'DELETE'].map((method) => {
    const absent = { sunset: undefined, allow: undefined };
    const mentions = method === 'GET' ? ['removed on 5 December 2030', 'GET /pets'] : [];
    return refusal({ method, path: '/v1/pets/1' }, 404, mentions, absent, at('2030-12-05T00:00:00Z'));
  }),
];
