import { get, type HttpCase, refusal } from '../../../testing/http-case.ts';
import { samplePets } from '../../../testing/start-test-mock.ts';

const sunset = 'Thu, 05 Dec 2030 00:00:00 GMT';
const headers = { sunset, link: '</v1/pets>; rel="successor-version"' };
const [bella] = samplePets;

function fetches(path: string, body: unknown, now?: string): HttpCase {
  return {
    title: `GET ${path} fetches the animal${now ? ` at ${now}` : ''}`,
    ...(now && { options: { now: new Date(now) } }),
    request: get(`/v1${path}`),
    answer: { status: 200, headers: { 'content-type': 'application/json', ...headers }, body },
  };
}

const unused = '4 0 -1 9007199254740992 9223372036854775807 -9223372036854775808'.split(' ');
// No animal has an id that is not a canonical int64.
const notCanonical = [
  ...'007 01 1.0 1e0 +1 %2B1 -0 0x1 1%20 %201 abc %D9%A1 1,2 1%00 1%2F'.split(' '),
  ...['9223372036854775808', '-9223372036854775809', '1'.repeat(5000)],
];
const findsNone = (id: string, mention = 'No animal', expected = {}) =>
  refusal(`GET /pets/${id.slice(0, 25)} finds nothing`, get(`/v1/pets/${id}`), 404, [mention], expected);

/** Source: specification, GET /pets/{petId} and Versioning; decisions/what-the-specification-leaves-open.md */
export const getPetCases: readonly HttpCase[] = [
  ...samplePets.map((pet) => fetches(`/pets/${pet.id}`, pet)),
  fetches('/pets/%31?limit=0&status=lost', bella),
  ...unused.map((id) => findsNone(id, id, headers)),
  ...notCanonical.map((id) => findsNone(id)),
  findsNone('%ZZ', '/v1/pets/%ZZ'),
  fetches('/pets/1', bella, '2030-12-04T23:59:59.999Z'),
  ...['GET', 'HEAD', 'DELETE'].map((method) =>
    refusal(
      `${method} /pets/1 finds nothing from 5 December 2030 on`,
      { method, path: '/v1/pets/1' },
      404,
      method === 'GET' ? ['removed on 5 December 2030', 'GET /pets'] : [],
      { sunset: undefined, allow: undefined },
      { now: new Date('2030-12-05T00:00:00Z') },
    ),
  ),
];
