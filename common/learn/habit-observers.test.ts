import {
  add,
  animal,
  DIFFERENT,
  fetch,
  NO_VALUE,
  NOT_SHOWN,
  refuse,
  testRows,
} from './testing/told-exchanges.ts';

testRows({
  spacesAroundNames: [
    ['kept', [add(1, '"name":" Animal 1","categoryId":1')], 'kept', 'POST /pets 201'],
    [
      'removed',
      [
        add(1, '"name":"Animal 1 ","categoryId":1', { body: animal(1, { name: 'Animal 1' }) }),
        fetch(1, { body: animal(1, { name: 'Animal 1' }) }),
      ],
      'trimmed',
      'POST /pets 201, GET /pets/1 200',
    ],
    [
      'removed later',
      [add(1, '"name":" Animal 1","categoryId":1'), fetch(1, { body: animal(1, { name: 'Animal 1' }) })],
      DIFFERENT,
    ],
    ['none', [add(1)], NOT_SHOWN],
    [
      'another name',
      [add(1, '"name":" Animal 1","categoryId":1', { body: animal(1, { name: 'A' }) })],
      NO_VALUE,
    ],
  ],
  categoryIdAsText: [
    ['201', [add(1, '"name":"Animal 1","categoryId":"1"')], 'accepted', 'POST /pets 201'],
    ['400', [add(1), refuse('"name":"Animal 2","categoryId":"1"')], 'refused'],
    ['422', [add(1), refuse('"name":"Animal 2","categoryId":"1"', 422)], 'refused'],
    ['400 for an unknown category', [add(1), refuse('"name":"Animal 2","categoryId":"2"')], NOT_SHOWN],
    ['400 for another text', [add(1), refuse('"name":"Animal 2","categoryId":"x"')], NOT_SHOWN],
    ['400 for a taken name', [add(1), refuse('"name":"Animal 1","categoryId":"1"')], NOT_SHOWN],
    ['400 for a short name', [add(1), refuse('"name":"Rex","categoryId":"1"')], NOT_SHOWN],
  ],
  nullStatus: [
    ['201', [add(1, '"name":"Animal 1","categoryId":1,"status":null')], 'accepted'],
    [
      '400 where names may repeat',
      [
        add(1, '"name":"007","categoryId":1'),
        add(2, '"name":"007","categoryId":1'),
        refuse('"name":"Rex","categoryId":1,"status":null'),
      ],
      'refused',
      'POST /pets 400',
    ],
    [
      '400 where the short name may be taken',
      [add(1, '"name":"007","categoryId":1'), refuse('"name":"Rex","categoryId":1,"status":null')],
      NOT_SHOWN,
    ],
    ['400 for another name', [add(1), refuse('"name":"Animal 2","categoryId":1,"status":null')], 'refused'],
    ['400 for no null', [add(1), refuse('"name":"Animal 2","categoryId":1,"status":0')], NOT_SHOWN],
  ],
  memberCase: [
    ['201', [add(1, '"Name":"Rex","categoryId":1', { body: animal(1, { name: 'Rex' }) })], 'any'],
    ['201 without the name', [add(1, '"Name":"Rex","categoryId":1')], NO_VALUE],
    ['400', [add(1), refuse('"Name":"Animal 2","categoryId":1')], 'exact'],
    ['400 for a short name', [add(1), refuse('"Name":"Rex","categoryId":1')], NOT_SHOWN],
    ['400 without a category', [add(1), refuse('"Name":"Animal 2"')], NOT_SHOWN],
  ],
});
