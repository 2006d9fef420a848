import type { Until } from '../../../common/control/since.ts';
import type { ControlCase } from './control-case.ts';

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

/** What tells of requests and violations. */
export const journalControlCases: readonly ControlCase[] = [
  {
    title: 'the requests, of which there are none',
    library: ({ requests }) => requests(),
    http: ['GET', '/requests'],
    result: [],
  },
  {
    title: 'clearing the requests',
    library: ({ clearRequests }) => clearRequests(),
    http: ['DELETE', '/requests'],
  },
  {
    title: 'clearing the requests up to one',
    library: ({ clearRequests }) => clearRequests({ until: 7 }),
    http: ['DELETE', '/requests?until=7'],
  },
  refusesClearing({ until: 'now' as never }, '/requests?until=now', 'until must be an id, not "now"'),
  {
    title: 'counting the requests',
    library: ({ countRequests }) => ({ count: BigInt(countRequests({ status: 404, since: 0 })) }),
    http: ['GET', '/requests/count?status=404&since=0'],
    result: { count: 0n },
  },
  {
    title: 'the violations, where nobody looks for them',
    library: ({ violations }) => violations(),
    http: ['GET', '/violations'],
    status: 400,
    mentions: ['No checked proxy stands beside this mock', '--no-checked-proxy'],
  },
  {
    title: 'a filter of violations that is wrong is refused',
    library: ({ expectNoViolations }) => expectNoViolations({ severity: 'fatal' as never }),
    http: ['GET', '/violations?severity=fatal'],
    status: 400,
    mentions: ['severity must be error or warning, not "fatal"'],
  },
  {
    title: 'clearing the violations',
    library: ({ clearViolations }) => clearViolations(),
    http: ['DELETE', '/violations'],
  },
  {
    title: 'clearing the violations up to one',
    library: ({ clearViolations }) => clearViolations({ until: 7 }),
    http: ['DELETE', '/violations?until=7'],
  },
  refusesFilter({ operation: 'list' }, 'operation=list', 'operation must be listPets, createPet, getPet or'),
  refusesFilter({ status: 600 }, 'status=600', 'status must be a status from 100 to 599, not'),
  refusesFilter({ limit: 0 }, 'limit=0', 'limit must be an integer above 0, not'),
  refusesFilter({ since: 'now' }, 'since=now', 'since must be a Date, a time such as'),
  refusesFilter({ path: '/' }, 'path=/', '"path" is not known; operation, status, since, until or limit are'),
];
