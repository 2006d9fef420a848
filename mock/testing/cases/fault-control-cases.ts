import { type ControlCase, plain } from './control-case.ts';

const down = { operation: 'listPets', status: 503, times: 2 } as const;
const broken = { path: '/v1/*', drop: 'EMPTY_RESPONSE', probability: 0.5 } as const;

function refusesFault(fault: object, ...mentions: string[]): ControlCase {
  return {
    title: `the fault ${JSON.stringify(fault)} is refused`,
    library: ({ faults }) => faults.add(fault),
    http: ['POST', '/faults', fault],
    status: 400,
    mentions,
  };
}

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
    title: 'a reset removes the faults',
    before: ({ faults, reset }) => {
      faults.add(down);
      reset();
    },
    library: ({ faults }) => faults.list(),
    http: ['GET', '/faults'],
    result: [],
  },
  {
    title: 'clearing the faults',
    before: ({ faults }) => faults.add(down),
    library: ({ faults }) => faults.clear(),
    http: ['DELETE', '/faults'],
  },
  {
    title: 'removing one fault',
    before: ({ faults }) => faults.add(down),
    library: ({ faults }) => faults.remove(1),
    http: ['DELETE', '/faults/1'],
  },
  {
    title: 'a fault that is not there cannot be removed, and those that are there are named',
    before: ({ faults }) => faults.add(down),
    library: ({ faults }) => faults.remove(7),
    http: ['DELETE', '/faults/7'],
    status: 404,
    mentions: ['No fault has the id 7; there is 1.'],
  },
  {
    title: 'an id that no fault can have is told as it was given',
    library: ({ faults }) => faults.remove('abc' as never),
    http: ['DELETE', '/faults/abc'],
    status: 400,
    mentions: ['The id of a fault must be an integer, not "abc".'],
  },
  refusesFault({}, 'needs a status, a delay, a drop or a body'),
  refusesFault(
    { status: 200 },
    'has the status 200: without a body that breaks the contract it must be from 400',
  ),
  refusesFault({ status: 600 }, 'status must be an integer from 200 to 599, not 600'),
  refusesFault(
    { body: 'XML' },
    'body must be PET_WITHOUT_NAME, UNKNOWN_STATUS, HTML, TRUNCATED_JSON or EMPTY_BODY',
  ),
  refusesFault({ body: 'HTML', drop: 'EMPTY_RESPONSE' }, 'only one of them can end a request'),
  refusesFault({ status: 500, drop: 'EMPTY_RESPONSE' }, 'only one of them can end a request'),
  refusesFault(
    { staus: 500 },
    '"staus" is not known; operation, method, path, status, body, delay, drop, times or',
  ),
  refusesFault(
    { status: 500, operation: 'list' },
    'operation must be listPets, createPet, getPet or createM',
  ),
  refusesFault({ status: 500, path: 'v1/pets' }, 'path must be a path such as /v1/pets/7', 'not "v1/pets"'),
  refusesFault({ status: 500, path: '/pets' }, 'path must be a path such as /v1/pets/7', 'not "/pets"'),
  refusesFault({ status: 500, path: '/v1/pets/{petId}' }, 'not "/v1/pets/{petId}"'),
  refusesFault({ status: 500, path: '/v1/pets?limit=1' }, 'without a query'),
  refusesFault({ status: 500, method: 'FOO' }, 'method must be GET, HEAD, POST', 'not "FOO"'),
  refusesFault({ status: 500, times: 0 }, 'times must be an integer from 1', 'not 0'),
  refusesFault({ status: 500, probability: 1.5 }, 'probability must be a number from 0 to 1, not 1.5'),
  refusesFault({ delay: '200-50' }, 'delay must be milliseconds up to 600000', 'not "200-50"'),
  refusesFault({ delay: { median: 90 } }, 'or { median, sigma } for a log-normal one, not an object'),
  refusesFault({ drop: 'RESET' }, 'drop must be CONNECTION_RESET_BY_PEER, EMPTY_RESPONSE, MALFORMED_RES'),
];
