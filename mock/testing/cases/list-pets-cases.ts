import { petStatuses } from '../../../common/json/pet.ts';
import { get, type HttpCase, refusal } from '../../../tools/testing/http-case.ts';
import { samplePets } from '../../../tools/testing/start-test-mock.ts';

const newest = samplePets.toReversed();
const [first] = newest;
const withStatus = (...statuses: readonly string[]) =>
  newest.filter(({ status }) => statuses.includes(`${status}`));

const lists: readonly (readonly [query: string, body: readonly unknown[], HttpCase['options']?])[] = [
  ['', newest],
  ['?limit=1', [first]],
  ['?limit=100', newest],
  ...petStatuses.map((status) => [`?status=${status}`, withStatus(status)] as const),
  ['?limit=2&status=available', withStatus('available')],
  ['?status=available&limit=1', [first]],
  ['?l%69mit=%31', [first]],
  ['?Limit=0&page=2&cursor=x&limit[]=0&status[]=lost', newest],
  ['?limit=2', samplePets.slice(0, 2), { behaviour: { order: 'oldest' } }],
  ['?limit=0', [first], { behaviour: { limitBelow1: 'clamp' } }],
  ['?limit=0', [], { behaviour: { limitBelow1: 'none' } }],
  ['?limit=-9999999999999999999999', [first], { behaviour: { limitBelow1: 'clamp' } }],
  ['?limit=9999999999999999999999', newest, { behaviour: { limitAbove100: 'clamp' } }],
  ...['abc', '1e3', '+1', '1,2'].map(
    (text) => [`?limit=${text}`, [first], { behaviour: { limitWord: 'one' } }] as const,
  ),
  ['?limit=abc', [], { behaviour: { limitWord: 'none' } }],
  ['?status=AvailABLE', withStatus('available'), { behaviour: { statusCase: 'any' } }],
  ['?status=available,pending,sold', withStatus(...petStatuses), { behaviour: { statusLists: 'union' } }],
  [
    '?status=Sold,PENDING',
    withStatus('sold', 'pending'),
    { behaviour: { statusCase: 'any', statusLists: 'union' } },
  ],
  [
    '?status=sold&limit=1&status=pending&limit=100',
    withStatus('sold', 'pending'),
    { behaviour: { repeatedParameters: 'union' } },
  ],
  ['?limit=2.9', newest.slice(0, 2), { behaviour: { limitFraction: 'truncate' } }],
  ['?limit=100.5', newest, { behaviour: { limitFraction: 'truncate' } }],
  ['?limit=0.5', [first], { behaviour: { limitFraction: 'truncate', limitBelow1: 'clamp' } }],
  ['?limit=2.9', newest, { behaviour: { limitFraction: 'default' } }],
  ['?limit=002', newest.slice(0, 2), { behaviour: { limitLeadingZero: 'decimal' } }],
  ['?limit=', [], { behaviour: { limitEmpty: 'none' } }],
  ['?limit', [first], { behaviour: { limitEmpty: 'one' } }],
  ['?limit=101', newest.slice(0, 2), { behaviour: { limitAbove100: 2 } }],
];

const aLimit = 'limit must be an integer from 1 to 100';
const aStatus = 'status must be available, pending or sold';
const limits = '0 101 -1 1000000000000000000000 1.0 1e1 +1 %2B1 01 0x1 1,2 %201 1%20 x %D9%A1 %ZZ'.split(' ');
const statuses = ['', 'lost', 'Available', '%20sold', 'sold%20', 'available,sold', 'null'];

const refused: readonly (readonly [query: string, ...mentions: string[]])[] = [
  ...['', ...limits].map((limit) => [`?limit=${limit}`, aLimit] as const),
  ['?limit', aLimit],
  ['?limit=1&limit=1', `${aLimit}, not 2 values`],
  ...statuses.map((status) => [`?status=${status}`, aStatus] as const),
  ['?status', aStatus],
  ['?status=sold&status=sold&status=sold', `${aStatus}, not 3 values`],
  ['?limit=0&status=lost', `${aLimit}, not "0"`, `${aStatus}, not "lost"`],
];

/** Source: specification, GET /pets; docs/reference/unspecified.md */
export const listPetsCases: readonly HttpCase[] = [
  ...lists.map(([query, body, options = {}]) => {
    const answer = { status: 200, headers: { 'content-type': 'application/json' }, body };
    return { options, request: get(`/v1/pets${query}`), answer };
  }),
  {
    request: { method: 'HEAD', path: '/v1/pets' },
    answer: { status: 200, headers: { 'content-type': 'application/json' } },
  },
  ...refused.map(([query, ...mentions]) => refusal(get(`/v1/pets${query}`), 400, mentions)),
  refusal(get('/v1/pets?limit=abc'), 400, [aLimit], {}, { behaviour: { limitBelow1: 'clamp' } }),
];
