import type { JsonObject } from '../../../common/json/exact-json.ts';
import { get, type HttpCase, refusal } from '../../../testing/http-case.ts';
import { samplePets } from '../../../testing/start-test-mock.ts';

const newestFirst = samplePets.toReversed();

const first = newestFirst.slice(0, 1);

const clamp = { limitPolicy: 'clamp' } as const;

function lists(query: string, body: readonly JsonObject[]): HttpCase {
  return {
    title: `GET /pets${query} lists ${body.length} animals`,
    request: get(`/v1/pets${query}`),
    answer: { status: 200, headers: { 'content-type': 'application/json' }, body },
  };
}

function listsStatus(query: string, status: string): HttpCase {
  const body = newestFirst.filter((pet) => pet.status === status);
  return lists(query, body);
}

function refuses(query: string, ...mentions: string[]): HttpCase {
  return refusal(`GET /pets${query} is refused`, get(`/v1/pets${query}`), 400, mentions);
}

function clamps(query: string, pets: readonly JsonObject[]): HttpCase {
  const listed = lists(query, pets);
  return { ...listed, title: `${listed.title} when limits are clamped`, options: clamp };
}

const aLimit = ['limit must be an integer from 1 to 100'];
const aStatus = ['status must be available, pending or sold'];

/** Source: specification, GET /pets; docs/reference/unspecified.md */
export const listPetsCases: readonly HttpCase[] = [
  lists('', newestFirst),
  lists('?', newestFirst),
  lists('?limit=1', first),
  lists('?limit=4', newestFirst.slice(0, 4)),
  lists('?limit=5', newestFirst),
  lists('?limit=100', newestFirst),
  {
    ...lists('?limit=2', samplePets.slice(0, 2)),
    title: 'GET /pets?limit=2 lists the oldest first when told to',
    options: { order: 'oldest' },
  },
  listsStatus('?status=available', 'available'),
  listsStatus('?status=pending', 'pending'),
  listsStatus('?status=sold', 'sold'),
  lists('?status=available&limit=1', first),
  listsStatus('?limit=2&status=available', 'available'),
  lists('?limit=%31', first),
  lists('?l%69mit=1', first),
  lists('?Limit=0&page=2&cursor=x&limit[]=0&status[]=lost', newestFirst),
  ...['0', '101', '-1', '1000000000000000000000', ''].map((limit) => refuses(`?limit=${limit}`, ...aLimit)),
  ...['1.0', '1e1', '+1', '%2B1', '01', '0x1', '1,2', '1;', '%201', '1%20', 'abc', 'null', '%D9%A1'].map(
    (limit) => refuses(`?limit=${limit}`, ...aLimit),
  ),
  refuses('?limit', ...aLimit),
  refuses('?limit=%ZZ', ...aLimit),
  refuses('?limit=1&limit=1', 'limit must be an integer from 1 to 100, not 2 values'),
  ...['', 'lost', 'Available', 'SOLD', '%20sold', 'sold%20', 'available,sold', 'null'].map((status) =>
    refuses(`?status=${status}`, ...aStatus),
  ),
  refuses('?status', ...aStatus),
  refuses('?status=sold&status=sold&status=sold', 'status must be available, pending or sold, not 3 values'),
  refuses('?limit=0&status=lost', ...aLimit, 'not "0"', ...aStatus, 'not "lost"'),
  clamps('?limit=0', first),
  clamps('?limit=-9999999999999999999999', first),
  clamps('?limit=101', newestFirst),
  clamps('?limit=9999999999999999999999', newestFirst),
  clamps('?limit=2', newestFirst.slice(0, 2)),
  {
    ...refuses('?limit=abc', ...aLimit),
    title: 'GET /pets?limit=abc is refused even when limits are clamped',
    options: clamp,
  },
];
