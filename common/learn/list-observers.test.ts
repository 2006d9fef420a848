import { expect, test } from 'vitest';
import {
  ALL,
  add,
  added,
  animal,
  animals,
  DIFFERENT,
  FURTHER,
  lacking,
  learnOne,
  list,
  mixed,
  NO_VALUE,
  NOT_SHOWN,
  named,
  ofEachStatus,
  ofStatus,
  ordered,
  type Row,
  refusal,
  shelves,
  showing,
  TOO_FEW,
  testRows,
  thirty,
  twenty,
  UNCERTAIN,
  usual,
} from './testing/told-exchanges.ts';

const delays: readonly Row[] = [
  ['shows it', [added, showing(20)], 0, `GET /pets${ALL} 200`],
  ['shows it late', [added, lacking(205), showing(320)], 300, `GET /pets${ALL} 200, GET /pets${ALL} 200`],
  // Clocks may differ by 20 ms.
  ['shows it a little early', [added, lacking(205), showing(280)], 300],
  ['shows it early', [added, lacking(205), showing(279)], 250],
  ['lacks it a little late', [added, lacking(324), showing(400)], 300],
  ['lacks it late', [added, lacking(325), showing(400)], 350],
  ['lacks it after 580 ms, and shows it after 780', [added, lacking(585), showing(780)], 700],
  ['lacks it after 500 ms, and shows it after 801', [added, lacking(505), showing(801)], UNCERTAIN],
  ['shows it before another one lacks it', [added, lacking(605), showing(500)], UNCERTAIN],
  ['lacks it for a moment', [added, lacking(5), showing(30)], 20],
  ['never shows it', [added, lacking(205)], UNCERTAIN],
  ['never shows it in a long time', [added, lacking(1_305)], UNCERTAIN],
  ['is not there', [added], UNCERTAIN],
  ['may show it at two times', [added, showing(400)], UNCERTAIN],
  ['lacked it before', [add(9, undefined, { at: 300 }), lacking(304), showing(320)], 0],
  ['of another status lacks it', [added, list(ofStatus('sold'), [], { at: 8 }), showing(20)], 0],
  [
    'of its status lacks it',
    [added, list(ofStatus('available'), [], { at: 205 }), showing(320)],
    300,
    `GET /pets${ofStatus('available')} 200, GET /pets${ALL} 200`,
  ],
  ['was cut', [added, list(ALL, animals(1, 2), { at: 8 }), showing(20)], 0],
  ['has another limit', [added, list('?limit=5', [], { at: 205 }), showing(20)], 0],
];

const pending = [animal(90, { status: 'pending' })];

test.for(delays)('the delay of a new animal, if a list %s', ([, told, value, evidence]) => {
  const learned = learnOne('listDelay', told);
  expect(learned[0]).toEqual(value);
  if (evidence !== undefined) expect(learned[1]).toBe(evidence);
});

testRows({
  order: [
    [
      'by status, then by id',
      [
        list('', shelves),
        add(9),
        list('', [...shelves.slice(0, 3), animal(9, { status: 'available' }), ...shelves.slice(3)]),
      ],
      NO_VALUE,
    ],
    [
      'a new animal first',
      [list('', mixed), add(9), list('', [animal(9), ...mixed])],
      'newest',
      'GET /pets 200, GET /pets 200',
    ],
    ['a new animal last', [list('', mixed), add(9), list('', [...mixed, animal(9)])], 'oldest'],
    [
      'a new animal in the middle',
      [list('', mixed), add(9), list('', [...mixed.slice(0, 3), animal(9), ...mixed.slice(3)])],
      NO_VALUE,
    ],
    [
      'a new animal among four',
      [list('', mixed.slice(2)), add(9), list('', [animal(9), ...mixed.slice(2)])],
      NOT_SHOWN,
    ],
    [
      'two new animals that were added one after the other',
      [list('', mixed), add(8), add(9), list('', [animal(9), animal(8), ...mixed])],
      'newest',
    ],
    [
      'two new animals that were added at the same time',
      [
        list('', mixed),
        add(8, undefined, { at: 20, end: 40 }),
        add(9, undefined, { at: 25, end: 45 }),
        list('', [animal(8), animal(9), ...mixed], { at: 50 }),
      ],
      'newest',
    ],
    [
      'an animal that no list had before',
      [list('', mixed), add(9), list('', [animal(7), animal(9), ...mixed])],
      'newest',
    ],
    ['ids that rise', [list('', named([1, 2, 3, 4], 'DCAB'))], 'oldest'],
    ['ids that fall', [list('', named([4, 3, 2, 1], 'DCAB'))], 'newest'],
    ['ids below 0 that rise', [list('', named([-4, -3, -2, -1], 'DCAB'))], NOT_SHOWN],
    ['names that rise', [list('', named([3, 1, 4, 2], 'ABCD'))], 'name'],
    ['names that rise, of three animals', [list('', named([3, 1, 2], 'ABC'))], NOT_SHOWN],
    [
      'names that rise, in a case that languages sort otherwise',
      [list('', named([3, 1, 4, 2, 5], 'AaBCD'))],
      'name',
    ],
    ['ids and names that rise', [list('', named([1, 2, 3, 4], 'ABCD'))], 'more than one order fits'],
    ['another order each time', [list('', mixed), list('', mixed.toReversed())], 'random'],
    ['no order', [list('', mixed)], NO_VALUE],
    ['one animal', [list('', animals(1, 1))], NOT_SHOWN],
  ],
  pageSize: [
    ['a list of 100', [list(ALL, animals(1, 100))], 100, `GET /pets${ALL} 200`],
    ['a list of 30', [thirty], TOO_FEW],
    [
      'three lists of 7 after other animals',
      [
        list(ofStatus('sold'), animals(1, 7)),
        list(ofStatus('pending'), animals(8, 14)),
        list(ALL, animals(1, 7)),
      ],
      7,
      `GET /pets${ALL} 200`,
    ],
    [
      'four lists of 7',
      [
        ...['sold', 'pending', 'available'].map((one, index) =>
          list(ofStatus(one), animals(7 * index + 1, 7 * index + 7)),
        ),
        list(ALL, animals(1, 5)),
        list(ALL, animals(1, 7)),
      ],
      7,
      `GET /pets${ALL} 200`,
    ],
    [
      'lists of 50 for three limits above it, of more animals',
      [
        list(ofStatus('sold'), animals(51, 90)),
        ...[50, 60, 70, 80].map((limit) => list(`?limit=${limit}`, animals(1, 50))),
        list(ALL, animals(1, 50)),
      ],
      50,
    ],
    [
      'lists of 12 for three limits above it, which hide animals of a status',
      [
        list(ofStatus('pending'), animals(51, 60, { status: 'pending' })),
        ...[26, 60, 70, 80].map((limit) => list(`?limit=${limit}`, animals(1, 12))),
        list(ALL, animals(1, 12)),
      ],
      'it is not certain that the longest list was cut',
    ],
    [
      'three lists of 12 after other animals',
      [
        list(ofStatus('sold'), animals(1, 12)),
        list(ofStatus('pending'), animals(13, 24)),
        list(ALL, animals(1, 12)),
      ],
      12,
      `GET /pets${ALL} 200`,
    ],
    [
      'lists of 25 for three limits above it, of more animals',
      [
        list(ofStatus('sold'), animals(51, 60)),
        ...[26, 60, 70, 80].map((limit) => list(`?limit=${limit}`, animals(1, 25))),
        list(ALL, animals(1, 25)),
      ],
      25,
    ],
    [
      'a list of 20, and more animals in another one',
      [list(ofStatus('sold'), animals(21, 40)), list(ALL, animals(1, 20))],
      'it is not certain that the longest list was cut',
    ],
    [
      'two lists of 7 after other animals',
      [list(ofStatus('sold'), animals(1, 7)), list('', animals(8, 20)), list(ALL, animals(1, 7))],
      'it is not certain that the longest list was cut',
    ],
    [
      'three lists of 7 with the same animals',
      [
        list(ofStatus('sold'), animals(1, 7)),
        list(ofStatus('pending'), animals(1, 7)),
        list(ALL, animals(1, 7)),
      ],
      TOO_FEW,
    ],
  ],
  limitAbove100: [
    [
      'the list of limit=20',
      [list('?limit=20', animals(1, 20)), thirty, list('?limit=101', animals(1, 20))],
      'default',
    ],
    [
      'a list that was short before',
      [list(ALL, animals(1, 15)), ...usual, list('?limit=101', animals(1, 30))],
      'clamp',
    ],
    [
      'a usual list that was short before',
      [list('', animals(1, 5)), list('', animals(1, 30)), thirty, list('?limit=101', animals(1, 30))],
      NOT_SHOWN,
    ],
    ['400', [...usual, refusal('/pets?limit=101')], 'refuse', 'GET /pets?limit=101 400'],
    ['the longest list', [...usual, list('?limit=101', animals(1, 30))], 'clamp'],
    ['a list that grows', [...usual, list(ALL, animals(1, 32)), list('?limit=101', animals(1, 31))], 'clamp'],
    ['the usual list', [...usual, list('?limit=1000', animals(1, 20))], 'default'],
    ['another list', [...usual, list('?limit=101', animals(1, 31))], NO_VALUE],
    ['a shorter list', [...usual, list('?limit=101', animals(1, 29))], 29],
    [
      'a clamp to 30',
      [
        twenty,
        list(ALL, animals(1, 48)),
        list('?limit=101', animals(1, 30)),
        list('?limit=1000', animals(1, 30)),
      ],
      30,
      'GET /pets?limit=101 200, GET /pets?limit=1000 200',
    ],
    [
      'two shorter lists',
      [...usual, list('?limit=101', animals(1, 29)), list('?limit=1000', animals(1, 28))],
      DIFFERENT,
    ],
    ['an empty list', [...usual, list('?limit=101', [])], NO_VALUE],
    [
      'few animals',
      [list('', animals(1, 5)), list(ALL, animals(1, 5)), list('?limit=101', animals(1, 5))],
      NOT_SHOWN,
    ],
    ['429', [...usual, refusal('/pets?limit=101', 429)], NOT_SHOWN],
    ['422', [...usual, refusal('/pets?limit=101', 422)], NO_VALUE],
    [
      'the longest list, where lists are cut to 30',
      [
        twenty,
        list(ofStatus('sold'), animals(31, 60)),
        list(ofStatus('pending'), animals(61, 90)),
        thirty,
        list('?limit=101', animals(1, 30)),
      ],
      'clamp',
    ],
    [
      'different lists',
      [...usual, refusal('/pets?limit=101'), list('?limit=102', animals(1, 20))],
      DIFFERENT,
    ],
    ['a limit of 100', usual, NOT_SHOWN],
    ['two parameters', [...usual, refusal('/pets?limit=101&status=sold')], NOT_SHOWN],
  ],
  limitBelow1: [
    [
      'the usual list after one animal',
      [list('', animals(1, 1)), twenty, list('?limit=0', animals(1, 20))],
      'default',
    ],
    [
      '400',
      [refusal('/pets?limit=0'), refusal('/pets?limit=-1')],
      'refuse',
      'GET /pets?limit=0 400, GET /pets?limit=-1 400',
    ],
    ['one animal', [...usual, list('?limit=0', animals(1, 1))], 'clamp'],
    ['the usual list', [...usual, list('?limit=-5', animals(1, 20))], 'default'],
    [
      'the list of limit=20',
      [list('?limit=20', animals(1, 20)), list('?limit=0', animals(1, 20))],
      'default',
    ],
    ['an empty list', [...usual, list('?limit=0', [])], 'none'],
    ['an empty list of none', [list('', []), list('?limit=0', [])], NOT_SHOWN],
    ['another list', [...usual, list('?limit=0', animals(1, 5))], NO_VALUE],
    ['one animal of one', [list('', animals(1, 1)), list('?limit=0', animals(1, 1))], NOT_SHOWN],
    ['a limit of 1', [refusal('/pets?limit=1')], NOT_SHOWN],
  ],
  limitWord: [
    ['400', [refusal('/pets?limit=abc')], 'refuse', 'GET /pets?limit=abc 400'],
    ['the usual list', [...usual, list('?limit=abc', animals(1, 20))], 'default', 'GET /pets?limit=abc 200'],
    ['one animal', [...usual, list('?limit=abc', animals(1, 1))], 'one'],
    ['an empty list', [...usual, list('?limit=abc', [])], 'none'],
    ['another list', [...usual, list('?limit=abc', animals(1, 30))], NO_VALUE],
    ['422', [refusal('/pets?limit=abc', 422)], NO_VALUE],
    ['one animal of one', [list('', animals(1, 1)), list('?limit=abc', animals(1, 1))], NOT_SHOWN],
    ['an empty store', [list('', []), list('?limit=abc', [])], NOT_SHOWN],
    [
      'no word',
      ['Infinity', '1e3', '2.5', '02', '', '0'].map((text) => refusal(`/pets?limit=${text}`)),
      NOT_SHOWN,
    ],
  ],
  limitFraction: [
    ['400', [refusal('/pets?limit=2.5')], 'refuse', 'GET /pets?limit=2.5 400'],
    ['the usual list', [...usual, list('?limit=2.5', animals(1, 20))], 'default'],
    ['two animals', [...usual, list('?limit=2.5', animals(1, 2))], 'truncate'],
    ['three animals', [...usual, list('?limit=2.5', animals(1, 3))], NO_VALUE],
    ['one animal', [...usual, list('?limit=2.5', animals(1, 1))], NO_VALUE],
    ['the longest list for 100.5', [...usual, list('?limit=100.5', animals(1, 30))], 'truncate'],
    ['the usual list for 100.5', [...usual, list('?limit=100.5', animals(1, 20))], 'default'],
    [
      'all animals, where these are two',
      [list('', animals(1, 2)), list(ALL, animals(1, 2)), list('?limit=2.5', animals(1, 2))],
      NOT_SHOWN,
    ],
    [
      'all animals, where these are fewer than 100',
      [list('', animals(1, 9)), list(ALL, animals(1, 9)), list('?limit=100.5', animals(1, 9))],
      NOT_SHOWN,
    ],
    ['a list, where no other one is known', [list('?limit=2.5', animals(1, 2))], NOT_SHOWN],
    ['two animals, where no long list is known', [twenty, list('?limit=2.5', animals(1, 2))], 'truncate'],
    [
      'one animal of a store that was smaller',
      [list(ALL, animals(1, 1)), ...usual, list('?limit=2.5', animals(1, 1))],
      NO_VALUE,
    ],
    ['a fraction out of bounds', [refusal('/pets?limit=0.5'), refusal('/pets?limit=101.5')], NOT_SHOWN],
    ['two ways', [...usual, refusal('/pets?limit=2.5'), list('?limit=100.5', animals(1, 30))], DIFFERENT],
  ],
  limitLeadingZero: [
    [
      '400',
      [refusal('/pets?limit=08'), refusal('/pets?limit=02')],
      'refuse',
      'GET /pets?limit=08 400, GET /pets?limit=02 400',
    ],
    ['two animals for 02', [...usual, list('?limit=02', animals(1, 2))], 'decimal'],
    ['the usual list', [...usual, list('?limit=02', animals(1, 20))], 'default'],
    ['an empty list', [...usual, list('?limit=08', [])], NO_VALUE],
    [
      'one animal of lists that have no more',
      [list('', animals(1, 1)), list('?limit=03', animals(1, 1))],
      NOT_SHOWN,
    ],
    [
      'the usual list for 050, where no longer one is known',
      [twenty, list('?limit=050', animals(1, 20))],
      NOT_SHOWN,
    ],
    [
      'a longer list for 050, where no other one is known',
      [twenty, list('?limit=050', animals(1, 30))],
      'decimal',
    ],
    ['a longer list than 050', [twenty, list('?limit=050', animals(1, 60))], NO_VALUE],
    [
      'no leading zero',
      [refusal('/pets?limit=0'), refusal('/pets?limit=00'), refusal('/pets?limit=10')],
      NOT_SHOWN,
    ],
  ],
  limitEmpty: [
    ['400', [refusal('/pets?limit=')], 'refuse', 'GET /pets?limit= 400'],
    ['the usual list', [...usual, list('?limit=', animals(1, 20))], 'default'],
    ['one animal', [...usual, list('?limit=', animals(1, 1))], 'one'],
    ['an empty list', [...usual, list('?limit=', [])], 'none'],
    ['no limit', usual, NOT_SHOWN],
  ],
  invalidStatus: [
    [
      'animals of one status, and some without one',
      [list('', ofEachStatus), list('?status=gone', [animal(1), { id: 2n, name: 'Rex', categoryId: 1n }])],
      NOT_SHOWN,
    ],
    [
      'an empty list after an empty store',
      [list('', []), list('?limit=20', animals(1, 5)), list('?status=gone', [])],
      'empty',
    ],
    ['400', [refusal('/pets?status=gone')], 'refuse', 'GET /pets?status=gone 400'],
    ['all animals', [list('?status=gone', [animal(1), animal(2, { status: 'pending' })])], 'ignore'],
    ['animals of one status', [list('?status=gone', animals(1, 5))], NOT_SHOWN],
    ['an empty list', [twenty, list('?status=gone', [])], 'empty'],
    ['an empty list of none', [list('', []), list('?status=gone', [])], NOT_SHOWN],
    ['a status in another form', [refusal('/pets?status=SOLD'), refusal('/pets?status=%20sold')], NOT_SHOWN],
    ['an empty status', [refusal('/pets?status=')], NOT_SHOWN],
  ],
  statusCase: [
    ['400', [list('', ofEachStatus), refusal('/pets?status=SOLD')], 'exact', 'GET /pets?status=SOLD 400'],
    ['all animals', [list('', ofEachStatus), list('?status=SOLD', ofEachStatus)], 'exact'],
    ['an empty list', [list('', ofEachStatus), list('?status=SOLD', [])], 'exact'],
    [
      'its animals',
      [list('', ofEachStatus), list('?status=SOLD', animals(1, 3))],
      'any',
      'GET /pets?status=SOLD 200',
    ],
    [
      'one animal, which a shuffled list of one may show by chance',
      [
        list('', [animal(2, { status: 'pending' })]),
        list(ALL, animals(1, 1)),
        list('?status=SOLD', animals(1, 1)),
      ],
      NOT_SHOWN,
    ],
    [
      'its animals, and a word is refused',
      [refusal('/pets?status=lost'), list('?status=Sold', animals(1, 3))],
      'any',
    ],
    [
      'animals of its status, as all have it',
      [list('', animals(1, 3)), list('?status=SOLD', animals(1, 3))],
      NOT_SHOWN,
    ],
    [
      'its animals, in a list that is shorter than the usual one',
      [list('', [...ofEachStatus, animal(9)]), list('?status=SOLD', animals(1, 2))],
      NOT_SHOWN,
    ],
    ['422', [refusal('/pets?status=SOLD', 422)], NO_VALUE],
    ['the same case', [list('', ofEachStatus), list('?status=sold', animals(1, 3))], NOT_SHOWN],
  ],
  statusLists: [
    [
      'animals of both, which were the newest ones of all',
      [
        list('', ofEachStatus),
        add(4, '"name":"Animal 4","categoryId":1,"status":"sold"'),
        add(5, '"name":"Animal 5","categoryId":1,"status":"pending"'),
        add(6, '"name":"Animal 6","categoryId":1,"status":"sold"'),
        list('?limit=100&status=sold,pending', [animal(6), animal(5, { status: 'pending' }), animal(4)]),
      ],
      NOT_SHOWN,
    ],
    [
      'animals of both, before a list that has an older animal of another status',
      [
        list('?limit=2', [animal(1), animal(3, { status: 'available' })]),
        add(4, '"name":"Animal 4","categoryId":1,"status":"sold"'),
        list('?limit=100&status=sold,pending', [animal(4), animal(2, { status: 'pending' }), animal(1)]),
        list('?limit=3', [animal(4), animal(1), animal(3, { status: 'available' })]),
      ],
      'union',
    ],
    [
      'animals of both, before a list that has a new animal of another status',
      [
        list('?limit=100&status=sold,pending', [animal(4), animal(2, { status: 'pending' }), animal(1)]),
        list('?limit=3', [animal(5, { status: 'available' }), animal(4), animal(1)]),
      ],
      NOT_SHOWN,
    ],
    [
      'animals of both, before a list that has a new animal of another status, which lists show late',
      [
        add(5, '"name":"Animal 5","categoryId":1,"status":"available"'),
        list('?limit=100&status=sold,pending', [animal(4), animal(2, { status: 'pending' }), animal(1)]),
        list('?limit=3', [animal(5, { status: 'available' }), animal(4), animal(1)]),
      ],
      NOT_SHOWN,
    ],
    [
      'animals of both, where another status is on a further page',
      [
        list(FURTHER, [animal(3, { status: 'available' })]),
        list('?limit=100&status=sold,pending', [animal(4), animal(2, { status: 'pending' }), animal(1)]),
      ],
      NOT_SHOWN,
    ],
    ['400', [refusal('/pets?status=sold,pending')], 'invalid', 'GET /pets?status=sold,pending 400'],
    ['all animals', [list('?limit=100&status=sold,pending', ofEachStatus)], 'invalid'],
    [
      'animals of both',
      [
        list('', ofEachStatus),
        list('?limit=100&status=sold,pending', [animal(1), animal(2, { status: 'pending' }), animal(4)]),
      ],
      'union',
    ],
    [
      'animals of one',
      [list('', ofEachStatus), list('?limit=100&status=sold,pending', animals(1, 3))],
      NOT_SHOWN,
    ],
    ['a status and a word', [refusal('/pets?status=sold,lost')], NOT_SHOWN],
  ],
  repeatedParameters: [
    [
      'the first of two animals',
      [
        list(ALL, animals(1, 1)),
        list(ALL, animals(1, 2)),
        list('?limit=1&limit=2', animals(1, 1)),
        list('?status=sold&status=pending', animals(1, 2)),
      ],
      'first',
      'GET /pets?limit=1&limit=2 200',
    ],
    ['400', [refusal('/pets?limit=1&limit=2'), refusal('/pets?status=sold&status=pending')], 'refuse'],
    [
      'the first',
      [
        thirty,
        list('', ofEachStatus),
        list('?limit=1&limit=2', animals(1, 1)),
        list('?status=sold&status=pending', animals(1, 5)),
        list('?status=sold&status=pending', []),
      ],
      'first',
      'GET /pets?limit=1&limit=2 200, GET /pets?status=sold&status=pending 200',
    ],
    [
      'the last',
      [
        thirty,
        list('', ofEachStatus),
        list('?limit=1&limit=2', animals(1, 2)),
        list('?status=pending&status=sold', animals(1, 5)),
      ],
      'last',
    ],
    [
      'the last limit, and the only status of all animals',
      [thirty, list('?limit=1&limit=2', animals(1, 2)), list('?status=pending&status=sold', animals(1, 5))],
      NOT_SHOWN,
    ],
    [
      'the last limit, and the first status in a list that was not cut',
      [
        list(ALL, [...animals(1, 9), ...pending]),
        list('?limit=1&limit=2', animals(1, 2)),
        list('?limit=100&status=sold&status=pending', animals(1, 9)),
      ],
      DIFFERENT,
    ],
    [
      'one status in a list that was cut before the other one',
      [
        list('?limit=100&status=pending', pending),
        list(ALL, animals(1, 9)),
        list('?limit=1&limit=2', animals(1, 2)),
        list('?limit=100&status=sold&status=pending', animals(1, 9)),
      ],
      NOT_SHOWN,
    ],
    [
      'one status, where an animal of the other one is added later',
      [
        list(ALL, animals(1, 9)),
        list('?limit=1&limit=2', animals(1, 2)),
        list('?status=sold&status=pending', animals(1, 9)),
        list(ALL, [...animals(1, 9), ...pending]),
      ],
      NOT_SHOWN,
    ],
    [
      'one animal, as all lists have one',
      [
        list(ALL, animals(1, 1)),
        list('?limit=20', pending),
        list('?limit=1&limit=2', animals(1, 1)),
        list('?limit=100&status=sold&status=pending', animals(1, 1)),
      ],
      NOT_SHOWN,
    ],
    [
      'the longer list',
      [
        thirty,
        list('?limit=1&limit=2', animals(1, 3)),
        list('?status=available&status=pending', animals(1, 5)),
      ],
      NO_VALUE,
    ],
    [
      'both statuses',
      [
        list(ALL, animals(1, 1)),
        list('?limit=1&limit=2', animals(1, 1)),
        list('?status=sold&status=pending', [animal(1), animal(2, { status: 'pending' })]),
      ],
      NO_VALUE,
    ],
    [
      'the last limit, and both statuses',
      [
        list(ALL, ofEachStatus),
        list('?limit=1&limit=2', animals(1, 2)),
        list('?limit=100&status=sold&status=pending', [
          animal(1),
          animal(2, { status: 'pending' }),
          animal(4),
        ]),
      ],
      'union',
      'GET /pets?limit=1&limit=2 200, GET /pets?limit=100&status=sold&status=pending 200',
    ],
    [
      'the first limit, and both statuses',
      [
        list(ALL, ofEachStatus),
        list('?limit=1&limit=2', animals(1, 1)),
        list('?limit=100&status=sold&status=pending', [
          animal(1),
          animal(2, { status: 'pending' }),
          animal(4),
        ]),
      ],
      DIFFERENT,
    ],
    [
      'the last limit, and all statuses',
      [
        list(ALL, ofEachStatus),
        list('?limit=1&limit=2', animals(1, 2)),
        list('?limit=100&status=sold&status=pending', ofEachStatus),
      ],
      DIFFERENT,
    ],
    ['one parameter', [refusal('/pets?limit=1&limit=2')], 'the run repeated one parameter only'],
    [
      'another form',
      [refusal('/pets?limit=1&limit=2&x=1'), refusal('/pets?status=sold&limit=1')],
      'the run repeated one parameter only',
    ],
  ],
  pages: [
    ['the same animal', [...ordered, list(FURTHER, animals(1, 1))], 'none', `GET /pets${FURTHER} 200`],
    ['the second animal', [...ordered, list(FURTHER, animals(2, 2))], 'page'],
    ['the fourth animal', [...ordered, list(FURTHER, animals(4, 4))], 'offset'],
    ['the fifth animal', [...ordered, list(FURTHER, animals(5, 5))], 'skip'],
    ['the second animal before an addition', [...ordered, list(FURTHER, animals(2, 2)), add(50)], 'page'],
    ['the third animal', [...ordered, list(FURTHER, animals(3, 3))], NO_VALUE],
    ['an unknown animal', [...ordered, list(FURTHER, animals(50, 50))], NO_VALUE],
    ['several animals', [...ordered, list(FURTHER, animals(1, 2))], NO_VALUE],
    ['400', [...ordered, refusal(`/pets${FURTHER}`)], NOT_SHOWN],
    ['after an addition', [...ordered, add(50), list(FURTHER, animals(1, 1))], NOT_SHOWN],
    [
      'after shuffled lists',
      [list('', animals(1, 8)), list('', animals(1, 8).toReversed()), list(FURTHER, animals(2, 2))],
      NOT_SHOWN,
    ],
    [
      'after short lists',
      [list('', animals(1, 4)), list('', animals(1, 4)), list(FURTHER, animals(2, 2))],
      NOT_SHOWN,
    ],
  ],
  unknownParameters: [
    ['400', [refusal('/pets?contract-test=1')], 'refuse'],
    ['a list', [list('?contract-test=1', [])], 'ignore'],
    ['another value', [refusal('/pets?contract-test=2')], NOT_SHOWN],
    ['500', [refusal('/pets?contract-test=1', 500)], NO_VALUE],
  ],
  listsWithoutStatus: [
    [
      'it',
      [list('?status=sold', [animal(1), { id: 2n, name: 'x', categoryId: 1n }])],
      'sold',
      'GET /pets?status=sold 200',
    ],
    ['it with a limit', [list(ofStatus('pending'), [{ id: 2n, name: 'x', categoryId: 1n }])], 'pending'],
    ['it in two lists', ['sold', 'pending'].map((one) => list(ofStatus(one), [{ id: 2n }])), DIFFERENT],
    [
      'it in the list of all only',
      [
        list(ALL, [...animals(1, 3), { id: 4n, name: 'x', categoryId: 1n }]),
        ...['available', 'pending', 'sold'].map((one) => list(ofStatus(one), animals(1, 1))),
      ],
      'none',
      `GET /pets${ALL} 200, GET /pets${ofStatus('available')} 200`,
    ],
    [
      'it in a list of all, and lists that were cut',
      [
        list(ALL, [animal(1), { id: 4n, name: 'x', categoryId: 1n }]),
        ...['available', 'pending', 'sold'].map((one) => list(ofStatus(one), animals(1, 2))),
      ],
      NOT_SHOWN,
    ],
    [
      'it in a list of all after the others',
      [
        ...['available', 'pending', 'sold'].map((one) => list(ofStatus(one), animals(1, 1))),
        list(ALL, [...animals(1, 3), { id: 4n, name: 'x', categoryId: 1n }]),
      ],
      NOT_SHOWN,
    ],
    [
      'it in a list of all, and two others',
      [
        list(ALL, [...animals(1, 3), { id: 4n, name: 'x', categoryId: 1n }]),
        ...['available', 'pending'].map((one) => list(ofStatus(one), animals(1, 1))),
      ],
      NOT_SHOWN,
    ],
    ['a status of each', [thirty], NOT_SHOWN],
  ],
});
