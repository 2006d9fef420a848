import { expect } from 'vitest';
import type { Until } from '../../../common/journal/journal-entry.ts';
import { get, send } from '../../../testing/http-case.ts';
import type { MockSession } from '../../index.ts';
import type { ControlCase } from './control-case.ts';

/** Sends two requests, answered with 200 and 404. */
async function sendTwo({ url }: MockSession): Promise<void> {
  for (const path of ['/pets', '/pets/999']) await send(url, get(new URL(url).pathname + path));
}

function refusesFilter(filter: object, query: string, mention: string): ControlCase {
  return {
    title: `the filter ${query} of requests is refused`,
    library: ({ requests }) => requests(filter),
    http: ['GET', `/requests?${query}`],
    status: 400,
    mentions: [mention],
  };
}

function refusesClearing(which: Until, path: string, mention: string): ControlCase {
  return {
    title: `clearing by DELETE ${path} is refused`,
    library: ({ clearRequests }) => clearRequests(which),
    http: ['DELETE', path],
    status: 400,
    mentions: [mention],
  };
}

/** Reading and clearing requests and violations. */
export const journalControlCases: readonly ControlCase[] = [
  {
    title: 'the requests, of which there are none',
    library: ({ requests }) => requests(),
    http: ['GET', '/requests'],
    result: [],
  },
  {
    title: 'the requests with a status',
    before: sendTwo,
    library: ({ requests }) => requests({ status: 404 }).map(({ id, url }) => ({ id: BigInt(id), url })),
    http: ['GET', '/requests?status=404'],
    result: [expect.objectContaining({ id: 2n, url: '/v1/pets/999' })],
  },
  {
    title: 'clearing the requests',
    before: sendTwo,
    library: ({ clearRequests }) => clearRequests(),
    http: ['DELETE', '/requests'],
    check: ({ requests, countRequests }) => expect([requests(), countRequests()]).toEqual([[], 0]),
  },
  {
    title: 'clearing the requests up to one',
    before: sendTwo,
    library: ({ clearRequests }) => clearRequests({ until: 1 }),
    http: ['DELETE', '/requests?until=1'],
    check: ({ requests }) => expect(requests()).toMatchObject([{ id: 2 }]),
  },
  refusesClearing({ until: 'now' as never }, '/requests?until=now', 'until must be an id, not "now"'),
  {
    title: 'counting the requests',
    before: sendTwo,
    library: ({ countRequests }) => ({ count: BigInt(countRequests({ status: 404, since: 0 })) }),
    http: ['GET', '/requests/count?status=404&since=0'],
    result: { count: 1n },
  },
  {
    title: 'the violations without a checked proxy',
    library: ({ violations }) => violations(),
    http: ['GET', '/violations'],
    status: 400,
    mentions: ['This mock has no checked proxy', '--no-checked-proxy'],
  },
  {
    title: 'a filter of violations that is wrong is refused',
    library: ({ expectNoViolations }) => expectNoViolations({ severity: 'fatal' as never }),
    http: ['GET', '/violations?severity=fatal'],
    status: 400,
    mentions: ['severity must be error or warning, not "fatal"'],
  },
  refusesFilter({ operation: 'list' }, 'operation=list', 'operation must be listPets, createPet, getPet or'),
  refusesFilter({ status: 600 }, 'status=600', 'status must be a status from 100 to 599, not'),
  refusesFilter({ limit: 0 }, 'limit=0', 'limit must be an integer above 0, not'),
  refusesFilter({ since: 'now' }, 'since=now', 'since must be a Date, a time such as'),
  refusesFilter({ path: '/' }, 'path=/', '"path" is not known; operation, status, since, until or limit are'),
];
