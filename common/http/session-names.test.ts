import { expect, test } from 'vitest';
import { readSessionNames } from './session-names.ts';

const header = 'x-animal-store-session';
const ofPath = 'its path';
const ofHeader = 'X-Animal-Store-Session';

test.for<[url: string, headers: Record<string, string | string[]>, names: [name: string, place: string][]]>([
  ['/v1/pets', {}, []],
  ['/sessions/w1/v1/pets', {}, [['w1', ofPath]]],
  ['/v1/pets', { [header]: 'w1' }, [['w1', ofHeader]]],
  ['/v1/pets', { [header]: ' w1 ' }, [['w1', ofHeader]]],
  ['/v1/pets', { [header]: '' }, [['', ofHeader]]],
  [
    '/sessions/w1/v1',
    { [header]: 'w2, w3' },
    [
      ['w1', ofPath],
      ['w2', ofHeader],
      ['w3', ofHeader],
    ],
  ],
  [
    '/v1/pets',
    { [header]: ['w1', 'w1'] },
    [
      ['w1', ofHeader],
      ['w1', ofHeader],
    ],
  ],
])('%s with %j names %j', ([url, headers, names]) => {
  expect(readSessionNames(url, headers)).toEqual(names.map(([name, place]) => ({ name, place })));
});
