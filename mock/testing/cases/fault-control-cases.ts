import { expect } from 'vitest';
import { type ControlCase, plain } from './control-case.ts';

const down = { operation: 'listPets', status: 503, times: 2 } as const;
const broken = { match: { query: { status: 'sold' } }, drop: true, probability: 0.5 } as const;
const full = {
  match: { operation: 'getPet', petId: '7', query: { limit: 1 }, headers: { 'X-Role': 'admin' } },
  skip: 1,
  times: 2,
  probability: 0.5,
  delay: '50-200',
  response: { status: 503, headers: { 'Retry-After': 30 }, message: 'Closed.' },
} as const;
const large = { response: { body: { id: 9223372036854775807n } } };

const print = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

const notAnObject = 'query must be an object of exact values';

const refusedFaults: readonly (readonly [fault: object, ...mentions: string[]])[] = [
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

/** What makes requests fail. */
export const faultControlCases: readonly ControlCase[] = [
  {
    title: 'adding a fault',
    library: ({ faults }) => plain(faults.add(down)),
    http: ['POST', '/faults', down],
    status: 201,
    result: { id: 1n, ...plain(down), used: 0n },
  },
  {
    title: 'the faults, in the order in which they were added',
    before: ({ faults }) => {
      faults.add(down);
      faults.add(broken);
    },
    library: ({ faults }) => plain(faults.list()),
    http: ['GET', '/faults'],
    result: plain([
      { id: 1, ...down, used: 0 },
      { id: 2, ...broken, used: 0 },
    ]),
  },
  {
    title: 'clearing the faults',
    before: ({ faults }) => faults.add(down),
    library: ({ faults }) => faults.clear(),
    http: ['DELETE', '/faults'],
    check: ({ faults }) => expect(faults.list()).toEqual([]),
  },
  {
    title: 'removing one fault',
    before: ({ faults }) => {
      faults.add(down);
      faults.add(broken);
    },
    library: ({ faults }) => faults.remove(1),
    http: ['DELETE', '/faults/1'],
    check: ({ faults }) => expect(faults.list()).toMatchObject([{ id: 2 }]),
  },
  {
    title: 'a fault that is not there cannot be removed',
    library: ({ faults }) => faults.remove(7),
    http: ['DELETE', '/faults/7'],
    status: 404,
    mentions: ['No fault has the id 7.'],
  },
  {
    title: 'a fault with every member',
    library: ({ faults }) => plain(faults.add(full)),
    http: ['POST', '/faults', full],
    status: 201,
    result: { id: 1n, ...plain(full), used: 0n },
  },
  {
    title: 'a fault with integers that no double holds',
    library: ({ faults }) => faults.add(large).response?.body,
    http: ['POST', '/faults', large],
    status: 201,
    result: expect.toSatisfy((value) => JSON.stringify(value, print)?.includes('9223372036854775807')),
  },
  ...refusedFaults.map(
    ([fault, ...mentions]): ControlCase => ({
      title: `the fault ${JSON.stringify(fault)} is refused`,
      library: ({ faults }) => faults.add(fault),
      http: ['POST', '/faults', fault],
      status: 400,
      mentions,
      check: ({ faults }) => expect(faults.list()).toEqual([]),
    }),
  ),
];
