import { printExactJson } from '../../../common/exact-json.ts';
import { createNewPet } from '../../core/add-animal.ts';
import type { RequestOptions } from '../../core/client.ts';
import type { Context } from '../../core/context.ts';

/** Tells whether the unusual requests of a run have been sent. */
export const FIRST_UNUSUAL = '/pets?limit=1&limit=2';

/** Queries and ids that no other clause tries. */
const paths = [
  FIRST_UNUSUAL,
  `/pets?limit=${'9'.repeat(40)}`,
  '/pets?status=sold&status=pending',
  '/pets?status%5B%5D=sold',
  '/pets?limit%5B%5D=5',
  '/pets?contract-test=x',
  '/pets/-0',
  '/pets/01',
];

/** Keys that may be too much for a comparison. */
const keys = ['k\u00e9y', 'x'.repeat(5000)];

/** The Accept header of a browser. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const NESTED = `${'['.repeat(5000)}${']'.repeat(5000)}`;

/** Bodies and headers that no other clause tries; none is a NewPet. */
const creations: readonly Omit<RequestOptions, 'path'>[] = [
  { body: '{}', mediaType: 'text/plain' },
  { body: '{}', mediaType: 'application/x-www-form-urlencoded' },
  { body: '{}', mediaType: 'application/json; charset=unknown' },
  { body: '{}', headers: { 'Content-Encoding': 'gzip' } },
  { body: '['.repeat(5000) },
  { body: `{"x":${NESTED}}` },
  { body: `{${' '.repeat(150_000)}}` },
  { body: '{"name":"\\u0000"}' },
  { body: '{"name":"\\ud800"}' },
];

/** Creates requests that no other clause sends. */
export async function createUnusualRequests(context: Context): Promise<readonly RequestOptions[]> {
  const reads: readonly RequestOptions[] = [
    ...paths.map((path) => ({ path })),
    ...keys.map((key) => ({ path: '/pets', authorization: `Bearer ${key}` })),
    { path: '/pets/8765432109876543210', headers: BROWSER },
    { path: '/pets/abc', authorization: undefined },
  ];
  if (!context.target.allowsWrites) return reads;
  // These may be accepted, and so have names of this run.
  const valid = printExactJson(await createNewPet(context, 'unusual'));
  const perhapsValid = [
    valid.replace('unusual', '\\u0000'),
    valid.replace('unusual', '\\ud800'),
    valid.replace('}', ',"nickname":"Rexi"}'),
    valid.replace('}', `,"x":${NESTED}}`),
  ].map((body) => ({ body }));
  const posts = [...creations, ...perhapsValid];
  return [...reads, ...posts.map((creation) => ({ method: 'POST' as const, path: '/pets', ...creation }))];
}
