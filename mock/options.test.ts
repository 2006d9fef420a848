import { describe, expect, test } from 'vitest';
import { UsageError } from '../common/usage-error.ts';
import {
  type ArgumentValues,
  defaults,
  findFlagKeptByNpm,
  type MockOptions,
  readOptions,
  resolveOptions,
} from './options.ts';

describe('resolveOptions', () => {
  test('fills in the defaults', () => {
    expect(resolveOptions({})).toEqual({
      ...defaults,
      checkedProxy: false,
      checkedPort: 4011,
      animals: undefined,
      data: undefined,
      now: undefined,
    });
    expect(resolveOptions({ port: undefined } as unknown as MockOptions).port).toBe(4010);
  });

  test('a checked port asks for a checked proxy, and a free port for another', () => {
    expect(resolveOptions({ checkedPort: 1 })).toMatchObject({ checkedProxy: true, checkedPort: 1 });
    expect(resolveOptions({ port: 0, checkedProxy: true })).toMatchObject({ checkedPort: 0 });
  });

  test('keeps what is given', () => {
    const now = new Date(0);
    const given = { port: 0, apiKeys: ['a', 'b'], profile: 'large', animals: 0, cors: false, now } as const;
    expect(resolveOptions(given)).toMatchObject(given);
  });

  test.for<[object, string]>([
    [{ port: 65_536 }, 'port must be an integer from 0 to 65535, not 65536'],
    [{ port: '4010' }, 'port must be an integer from 0 to 65535, not "4010"'],
    [{ host: '' }, 'host must be a host name or an IP address, not ""'],
    [{ apiKeys: [] }, 'apiKeys must be'],
    [{ seed: -1 }, 'seed must be an integer from 0 to 4294967295, not -1'],
    [{ profile: 'huge' }, 'profile must be default, empty, edge-cases or large, not "huge"'],
    [{ animals: 10_000_001 }, 'animals must be an integer from 0 to 10000000, not 10000001'],
    [{ data: '' }, 'data must be the path of a file'],
    [{ limitPolicy: 'ignore' }, 'limitPolicy must be reject or clamp, not "ignore"'],
    [{ now: new Date('x') }, 'now must be an ISO 8601 date'],
    [{ cors: 'no' }, 'cors must be true or false, not "no"'],
    [{ log: 'loud' }, 'log must be pretty, json or silent, not "loud"'],
    [{ colour: 1 }, 'there is no option colour'],
    [{ data: 'a.json', profile: 'empty' }, 'data and profile cannot be combined'],
    [{ data: 'a.json', animals: 5 }, 'data and animals cannot be combined'],
    [
      { profile: 'edge-cases', animals: 5 },
      'animals goes with the profile default or large, not with edge-cases',
    ],
  ])('refuses %j', ([options, message]) => {
    const resolve = () => resolveOptions(options as MockOptions);
    expect(resolve).toThrow(UsageError);
    expect(resolve).toThrow(message);
  });

  test('never repeats a key', () => {
    expect(() => resolveOptions({ apiKeys: ['top secret'] })).toThrow(/^(?!.*secret).*printable ASCII/);
  });
});

describe('readOptions', () => {
  const valid: [ArgumentValues, Record<string, string>, MockOptions][] = [
    [{}, {}, {}],
    [{ port: '5000' }, { ANIMAL_STORE_PORT: '1', PORT: '2' }, { port: 5000 }],
    [{}, { ANIMAL_STORE_PORT: '1', PORT: '2' }, { port: 1 }],
    [{}, { ANIMAL_STORE_PORT: '', PORT: '2' }, { port: 2 }],
    [{}, { PORT: '' }, {}],
    [{}, { HOST: '::1' }, { host: '::1' }],
    [{ apiKeys: ['a', 'b'] }, { ANIMAL_STORE_API_KEY: 'c' }, { apiKeys: ['a', 'b'] }],
    [{}, { ANIMAL_STORE_API_KEY: ' a  b,c ' }, { apiKeys: ['a', 'b,c'] }],
    [{}, { ANIMAL_STORE_SEED: '7', ANIMAL_STORE_PROFILE: 'large' }, { seed: 7, profile: 'large' }],
    [
      {},
      { ANIMAL_STORE_ANIMALS: '5', ANIMAL_STORE_LIMIT_POLICY: 'clamp' },
      { animals: 5, limitPolicy: 'clamp' },
    ],
    [{}, { ANIMAL_STORE_DATA: 'a.json', ANIMAL_STORE_LOG: 'json' }, { data: 'a.json', log: 'json' }],
    [{ data: 'a.json' }, { ANIMAL_STORE_PROFILE: 'large', ANIMAL_STORE_ANIMALS: '5' }, { data: 'a.json' }],
    [{ profile: 'empty' }, { ANIMAL_STORE_ANIMALS: '5' }, { profile: 'empty' }],
    [{ animals: '5' }, { ANIMAL_STORE_DATA: 'a.json' }, { animals: 5 }],
    [{ cors: false }, {}, { cors: false }],
    [{}, { ANIMAL_STORE_NO_CORS: 'true' }, { cors: false }],
    [{}, { ANIMAL_STORE_NO_CORS: '0' }, { cors: true }],
    [{ now: '2030-12-05' }, {}, { now: new Date('2030-12-05T00:00:00Z') }],
    [{ now: '2030-12-05T01:00+01:00' }, {}, { now: new Date('2030-12-05T00:00:00Z') }],
    [{}, { ANIMAL_STORE_NOW: '2030-12-05T00:00:00.5Z' }, { now: new Date('2030-12-05T00:00:00.500Z') }],
  ];

  test.for(valid)('of %j and %j', ([values, environment, options]) => {
    expect(readOptions(values, environment)).toEqual(options);
  });

  const invalid: [ArgumentValues, Record<string, string>, string][] = [
    [{ port: 'http' }, {}, '--port must be an integer from 0 to 65535, not "http"'],
    [{ port: '' }, {}, '--port must be an integer'],
    [{ port: '1e3' }, {}, '--port must be an integer'],
    [{}, { PORT: '-1' }, 'PORT must be an integer'],
    [{}, { ANIMAL_STORE_PORT: 'x', PORT: '1' }, 'ANIMAL_STORE_PORT must be an integer'],
    [{ apiKeys: [''] }, {}, '--api-key must be'],
    [{ apiKeys: ['kéy'] }, {}, '--api-key must be'],
    [{}, { ANIMAL_STORE_NO_CORS: 'yes' }, 'ANIMAL_STORE_NO_CORS must be true or false, not "yes"'],
    [{ now: 'tomorrow' }, {}, '--now must be an ISO 8601 date, or a time with its offset'],
    [{ now: '2030-12-05T00:00' }, {}, '--now must be'],
    [{ now: '2030-02-30' }, {}, '--now must be'],
    [
      { now: '2030-12-05T25:00Z' },
      {},
      '--now must be an ISO 8601 date, or a time with its offset, such as 2030-12-05T00:00:00Z, not "2030-12-05T25:00Z"',
    ],
    [{ port: '99999999999999999999' }, {}, 'not "99999999999999999999"'],
    [
      {},
      { ANIMAL_STORE_NO_CORS: 'constructor' },
      'ANIMAL_STORE_NO_CORS must be true or false, not "constructor"',
    ],
    [{ data: 'a.json', profile: 'empty' }, {}, '--data and --profile cannot be combined'],
    [
      {},
      { ANIMAL_STORE_DATA: 'a', ANIMAL_STORE_ANIMALS: '5' },
      'ANIMAL_STORE_DATA and ANIMAL_STORE_ANIMALS cannot be',
    ],
    [
      { animals: '5', profile: 'empty' },
      {},
      '--animals goes with the profile default or large, not with empty',
    ],
    [{ limitPolicy: 'Clamp' }, {}, '--limit-policy must be reject or clamp, not "Clamp"'],
  ];

  test.for(invalid)('refuses %j and %j', ([values, environment, message]) => {
    expect(() => readOptions(values, environment)).toThrow(message);
  });
});

test.for<[Record<string, string>, string | undefined]>([
  [{ npm_lifecycle_event: 'start', npm_config_port: '5201' }, '--port'],
  [{ npm_lifecycle_event: 'start', npm_config_limit_policy: 'clamp' }, '--limit-policy'],
  [{ npm_lifecycle_event: 'start', npm_config_cors: '' }, '--no-cors'],
  [{ npm_lifecycle_event: 'start' }, undefined],
  [{ npm_lifecycle_event: 'test', npm_config_port: '5201' }, undefined],
])('of %j npm kept %s', ([environment, flag]) => {
  expect(findFlagKeptByNpm(environment)).toBe(flag);
});
