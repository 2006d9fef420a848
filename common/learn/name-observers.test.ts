import { ALL, add, animal, list, NOT_SHOWN, ofName, refuse, testRows } from './testing/told-exchanges.ts';

testRows({
  shortestName: [
    ['one character', [add(1), add(2, ofName('0'))], 1, 'POST /pets 201'],
    [
      'one character of a name that was not stored',
      [add(1), add(2, '"name":"First","categoryId":1,"name":"0"', { body: animal(2, { name: 'First' }) })],
      NOT_SHOWN,
    ],
    [
      'two characters',
      [add(1), refuse(ofName('0')), add(2, ofName('-0'))],
      2,
      'POST /pets 201, POST /pets 400',
    ],
    ['three characters', [add(1), refuse(ofName('0')), refuse(ofName('-0')), add(2, ofName('007'))], 3],
    ['nothing of the length before', [add(1), refuse(ofName('0')), add(2, ofName('007'))], NOT_SHOWN],
    [
      'another character',
      [add(1), refuse(ofName('é')), refuse(ofName('{}')), add(2, ofName('123'))],
      NOT_SHOWN,
    ],
    ['another category', [add(1), refuse('"name":"0","categoryId":5'), add(2, ofName('-0'))], NOT_SHOWN],
    ['422', [add(1), { ...refuse(ofName('0')), status: 422 }, add(2, ofName('-0'))], NOT_SHOWN],
    [
      'a name that may be taken',
      [
        list(ALL, [animal(8, { name: '0' })]),
        add(1),
        refuse(ofName('Animal 1')),
        refuse(ofName('0')),
        add(2, ofName('-0')),
      ],
      NOT_SHOWN,
    ],
    ['only a longer one', [add(1)], NOT_SHOWN],
  ],
  nameCharacters: [
    [
      'accepted in names that were not stored',
      ['Rex 🐶', 'Salt & Pepper'].map((name, index) =>
        add(index, `"name":"First","categoryId":1,"name":"${name}"`, {
          body: animal(index, { name: 'First' }),
        }),
      ),
      NOT_SHOWN,
    ],
    [
      'accepted',
      [add(1, ofName('Rex 🐶')), add(2, ofName('Salt & Pepper')), refuse(ofName('Re\\u0000x'))],
      'any',
      'POST /pets 201, POST /pets 201',
    ],
    [
      'refused',
      [
        add(1, ofName('Salt and Pepper')),
        refuse(ofName('Rex 🐶')),
        refuse(ofName('Salt & Pepper')),
        refuse(ofName('a@b.c')),
      ],
      'plain',
      'POST /pets 400, POST /pets 400',
    ],
    [
      'refused, and longer than an accepted one',
      [add(1), refuse(ofName('Rex 🐶')), refuse(ofName('Salt & Pepper')), refuse(ofName('a@b.c'))],
      NOT_SHOWN,
    ],
    [
      'two names',
      [add(1, ofName('Salt and Pepper')), refuse(ofName('Rex 🐶')), refuse(ofName('Salt & Pepper'))],
      NOT_SHOWN,
    ],
    [
      'refused, but for an ampersand',
      [add(1, ofName('Salt & Pepper')), refuse(ofName('Rex 🐶')), refuse(ofName('a@b.c'))],
      'it accepts some other characters, but not all',
    ],
  ],
});
