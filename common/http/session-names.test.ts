import { expect, test } from 'vitest';
import { readSessionNames } from './session-names.ts';

const header = 'x-animal-store-session';
const ofPath = 'its path';
const ofHeader = 'X-Animal-Store-Session';
const ofBaggage = 'baggage';

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
  ['/v1/pets', { baggage: 'animal-store-session=w1' }, [['w1', ofBaggage]]],
  ['/v1/pets', { baggage: 'userId=alice,animal-store-session = w1 ; ttl=5;a, b=1' }, [['w1', ofBaggage]]],
  ['/v1/pets', { baggage: ['userId=alice', 'animal-store-session=w1'] }, [['w1', ofBaggage]]],
  ['/v1/pets', { baggage: 'animal-store-session=%77%31' }, [['w1', ofBaggage]]],
  ['/v1/pets', { baggage: 'animal-store-session=%ff' }, [['%ff', ofBaggage]]],
  ['/v1/pets', { baggage: 'animal-store-session=a=b' }, [['a=b', ofBaggage]]],
  ['/v1/pets', { baggage: 'animal-store-session' }, [['', ofBaggage]]],
  ['/v1/pets', { baggage: 'a=animal-store-session=w1,b=1;animal-store-session=w2' }, []],
  ['/v1/pets', { baggage: '' }, []],
])('%s with %j names %j', ([url, headers, names]) => {
  expect(readSessionNames(url, headers)).toEqual(names.map(([name, place]) => ({ name, place })));
});
