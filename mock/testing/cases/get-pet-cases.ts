import type { JsonObject } from '../../../common/json/exact-json.ts';
import { get, type HttpCase, refusal } from '../../../testing/http-case.ts';
import { samplePets } from '../../../testing/start-test-mock.ts';

const sunset = 'Thu, 05 Dec 2030 00:00:00 GMT';
const link = '</v1/pets>; rel="successor-version"';

function fetches(path: string, body: JsonObject): HttpCase {
  return {
    title: `GET ${path} fetches the animal`,
    request: get(`/v1${path}`),
    answer: { status: 200, headers: { 'content-type': 'application/json', sunset, link }, body },
  };
}

/** No animal has an id that is not a canonical int64. */
function findsNone(id: string): HttpCase {
  const title = `GET /pets/${id.slice(0, 25)} finds nothing`;
  return refusal(title, get(`/v1/pets/${id}`), 404, ['No animal']);
}

const [bella = {}] = samplePets;

/** Source: specification, GET /pets/{petId} and Versioning; docs/reference/unspecified.md */
export const getPetCases: readonly HttpCase[] = [
  ...samplePets.map((pet) => fetches(`/pets/${pet.id}`, pet)),
  fetches('/pets/%31', bella),
  fetches('/pets/1?limit=0&status=lost', bella),
  ...'4 0 -1 9007199254740992 9223372036854775807 -9223372036854775808'
    .split(' ')
    .map((id) =>
      refusal(`GET /pets/${id} finds nothing`, get(`/v1/pets/${id}`), 404, [id], { sunset, link }),
    ),
  ...'007 01 1.0 1e0 +1 %2B1 -0 0x1 1%20 %201 abc null %D9%A1 1,2 1%00 1%0A 1%2F'.split(' ').map(findsNone),
  ...['9223372036854775808', '-9223372036854775809', '1'.repeat(5000)].map(findsNone),
  refusal('GET /pets/%ZZ finds nothing', get('/v1/pets/%ZZ'), 404, ['/v1/pets/%ZZ']),
  {
    ...fetches('/pets/1', bella),
    title: 'GET /pets/1 fetches the animal in the last millisecond before its removal',
    options: { now: new Date('2030-12-04T23:59:59.999Z') },
  },
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
