import type { ExactJson } from '../../../common/exact-json.ts';
import type { Pet } from '../../../common/pet.ts';
import { get, type HttpCase, refusal } from '../http-case.ts';

const bella: Pet = { id: 1n, name: 'Bella', categoryId: 3n, status: 'available' };
const otis: Pet = { id: 2n, name: 'Otis', categoryId: 7n };
const zoe: Pet = { id: 3n, name: 'Zoë 🐈‍⬛', categoryId: 3n, status: 'pending' };
const rex: Pet = {
  id: 9007199254740993n,
  name: ' <b>Rex</b> ',
  categoryId: 9223372036854775807n,
  status: 'sold',
};
const nameless: Pet = { id: -4n, name: '', categoryId: -9223372036854775808n, status: 'available' };
const all = [bella, otis, zoe, rex, nameless];

function lists(query: string, pets: readonly Pet[], more: Partial<HttpCase> = {}): HttpCase {
  return {
    title: `GET /pets${query} lists ${pets.length} animals`,
    request: get(`/v1/pets${query}`),
    answer: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: pets as unknown as ExactJson,
    },
    ...more,
  };
}

function refuses(query: string, ...mentions: string[]): HttpCase {
  const request = get(`/v1/pets${query}`);
  return refusal(`GET /pets${query} is refused`, request, [400, 'invalid_request'], mentions);
}

function clamps(query: string, pets: readonly Pet[]): HttpCase {
  const title = `GET /pets${query} lists ${pets.length} animals when limits are clamped`;
  return lists(query, pets, { title, options: { limitPolicy: 'clamp' } });
}

const aLimit = ['limit must be an integer from 1 to 100'];
const aStatus = ['status must be available, pending or sold'];

/** Source: specification, GET /pets; decisions/what-the-specification-leaves-open.md */
export const listPetsCases: readonly HttpCase[] = [
  lists('', all),
  lists('?', all),
  lists('?limit=1', [bella]),
  lists('?limit=4', [bella, otis, zoe, rex]),
  lists('?limit=5', all),
  lists('?limit=100', all),
  lists('?status=available', [bella, nameless]),
  lists('?status=pending', [zoe]),
  lists('?status=sold', [rex]),
  lists('?status=available&limit=1', [bella]),
  lists('?limit=2&status=available', [bella, nameless]),
  lists('?limit=%31', [bella]),
  lists('?l%69mit=1', [bella]),
  lists('?Limit=0&page=2&cursor=x&limit[]=0&status[]=lost', all),
  ...['0', '101', '-1', '1000000000000000000000', ''].map((limit) => refuses(`?limit=${limit}`, ...aLimit)),
  ...['1.0', '1e1', '+1', '%2B1', '01', '0x1', '1,2', '1;', '%201', '1%20', 'abc', 'null', '%D9%A1'].map(
    (limit) => refuses(`?limit=${limit}`, ...aLimit),
  ),
  refuses('?limit', ...aLimit),
  refuses('?limit=%ZZ', ...aLimit),
  refuses('?limit=1&limit=1', 'limit must be given once at most, not 2 times'),
  ...['', 'lost', 'Available', 'SOLD', '%20sold', 'sold%20', 'available,sold', 'null'].map((status) =>
    refuses(`?status=${status}`, ...aStatus),
  ),
  refuses('?status', ...aStatus),
  refuses('?status=sold&status=sold&status=sold', 'status must be given once at most, not 3 times'),
  refuses('?limit=0&status=lost', ...aLimit, 'not "0"', ...aStatus, 'not "lost"'),
  clamps('?limit=0', [bella]),
  clamps('?limit=-9999999999999999999999', [bella]),
  clamps('?limit=101', all),
  clamps('?limit=9999999999999999999999', all),
  clamps('?limit=2', [bella, otis]),
  refusal(
    'GET /pets?limit=abc is refused even when limits are clamped',
    get('/v1/pets?limit=abc'),
    [400, 'invalid_request'],
    aLimit,
    { options: { limitPolicy: 'clamp' } },
  ),
];
