import { samplePets } from '../../../testing/start-test-mock.ts';
import type { AdminCall } from '../send-admin.ts';

type RefusedCall = readonly [call: AdminCall, status: number, ...mentions: string[]];

const rex = { name: 'Rex', categoryId: 1 };
const id = samplePets[0]?.id;
const twice = [{ id: 1, ...rex }, rex, { id: 1, ...rex }];
const noAnimal = 'No animal has the id 999';

const calls: readonly RefusedCall[] = [
  [['GET', '/animals/999'], 404, noAnimal],
  [['DELETE', '/animals/999'], 404, noAnimal],
  [['DELETE', '/animals/abc'], 400, 'id must be an integer', 'not "abc"'],
  [['POST', '/animals', { name: 1, categoryId: 1.5 }], 400, 'name must be a string', 'an integer', 'not 1.5'],
  [['POST', '/animals', { ...rex, staus: 'sold' }], 400, 'only id, name, categoryId and status, not "staus"'],
  [['POST', '/animals', { id: 1, ...rex }], 400, `the id ${id} is there already`],
  [['PUT', `/animals/${id}`, { id: 999, ...rex }], 400, `own id is 999, not ${id}`],
  [['PUT', '/animals', rex], 400, 'must be an array, not an object'],
  [['PUT', '/animals', [rex, { name: 'Tom' }]], 400, 'animals[1]: categoryId is missing'],
  [['PUT', '/animals', twice], 400, 'animals[0] and animals[2] have the same id, 1'],
  [['POST', '/snapshots/c/restore'], 404, 'No snapshot is called "c"; there is none'],
  [['DELETE', '/snapshots/c'], 404, 'No snapshot is called "c"'],
  [['PUT', '/snapshots/a%2Fb%20c'], 400, 'up to 64 letters, digits', 'not "a/b c"'],
  [['POST', '/profiles/tiny/fill'], 404, 'No profile is called "tiny"; there is default, empty, edge-cases'],
  [['DELETE', '/faults/7'], 404, 'No fault has the id 7.'],
  [['GET', '/violations'], 400, 'This mock has no checked proxy', '--no-checked-proxy'],
  [['GET', '/violations?severity=fatal'], 400, 'severity must be error or warning, not "fatal"'],
  [['DELETE', '/requests?until=now'], 400, 'until must be an id, not "now"'],
  [['GET', '/requests?operation=list'], 400, 'operation must be listPets, createPet, getPet or'],
  [['GET', '/requests?status=600'], 400, 'status must be a status from 100 to 599, not'],
  [['GET', '/requests?limit=0'], 400, 'limit must be an integer above 0, not'],
  [['GET', '/requests?since=now'], 400, 'since must be a Date, a time such as'],
  [['GET', '/requests?path=/'], 400, '"path" is not known; operation, status, since, until or limit are'],
];

const settings: readonly (readonly [changes: object, mention: string])[] = [
  [{ now: '2030-12-05T00:00' }, 'now must be an ISO 8601 date, or a time with its offset'],
  [{ order: 'name' }, 'order must be newest, oldest or random, not "name"'],
  [{ limitPolicy: 1 }, 'limitPolicy must be reject or clamp, not 1'],
  [{ port: 1 }, '"port" is not known; now, apiKeys, limitPolicy or order are'],
  [{ apiKeys: [] }, 'apiKeys must be an array with at least one value, each printable ASCII'],
];

const notAnObject = 'query must be an object of exact values';

const faults: readonly (readonly [fault: object, ...mentions: string[]])[] = [
  [{}, 'needs a status, a body, a delay or a drop'],
  [{ response: { headers: { 'X-Y': '1' } } }, 'has a response without a status or a body'],
  [{ message: 'No.' }, 'has a response without a status or a body'],
  [{ status: 200 }, 'has the status 200: without a body it must be from 400 to 599'],
  [{ status: 600 }, 'status must be an integer from 200 to 599, not 600'],
  [{ response: { status: 99 } }, "The fault's response: status must be an integer from 200 to 599"],
  [{ response: 500 }, 'response must be an object, not 500'],
  [{ status: 500, drop: true }, 'only one of them can end a request'],
  [{ drop: true, response: { body: '' } }, 'only one of them can end a request'],
  [{ drop: false }, 'drop must be true, not false'],
  [{ staus: 500 }, '"staus" is not known; match, operation, skip, times, probability, delay,'],
  [{ response: { staus: 500 } }, '"staus" is not known; status, headers, body or message are'],
  [{ match: { path: '/v1/pets' }, status: 500 }, '"path" is not known; operation, petId, query or'],
  [{ status: 500, operation: 'list' }, 'operation must be listPets, createPet, getPet or createM'],
  [{ status: 500, match: { operation: 'list' } }, "The fault's match: operation must be listPets"],
  [{ status: 500, match: { petId: 1.5 } }, 'petId must be an id, such as 7 or "7", not 1.5'],
  [{ status: 500, match: { query: 'status=sold' } }, notAnObject],
  [{ status: 500, match: { query: { status: ['sold'] } } }, notAnObject],
  [{ status: 500, match: { headers: { 'a b': 'x' } } }, 'headers must be an object of names and'],
  [{ status: 503, response: { headers: { 'Content-Length': 1 } } }, 'without headers for the framing'],
  [{ status: 503, response: { headers: { 'X-Y': 'a\nb' } } }, 'headers must be an object of names'],
  [{ status: 500, skip: -1 }, 'skip must be an integer from 0', 'not -1'],
  [{ status: 500, times: 0 }, 'times must be an integer from 1', 'not 0'],
  [{ status: 500, probability: 1.5 }, 'probability must be a number from 0 to 1, such as 0.05, not 1.5'],
  [{ delay: '200-50' }, 'delay must be milliseconds up to 600000', 'not "200-50"'],
];

/** Calls that change nothing, with the status and strings of the message of their Error. */
export const refusedCalls: readonly RefusedCall[] = [
  ...calls,
  ...settings.map(([changes, mention]) => [['PATCH', '/settings', changes], 400, mention] as const),
  ...faults.map(([fault, ...mentions]) => [['POST', '/faults', fault], 400, ...mentions] as const),
];
