import { expect, test } from 'vitest';
import { type Environment, readOptions } from '../common/cli/read-options.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import type { MockOptions } from './mock-options.ts';
import { mockCommand, resolveMockOptions } from './options.ts';

const read = (line: string, environment: Environment) =>
  readOptions(mockCommand, line === '' ? [] : line.split(' '), { environment });

test('defaults are filled in', () => {
  expect(resolveMockOptions({ port: undefined } as unknown as MockOptions)).toEqual({
    port: 4010,
    host: '127.0.0.1',
    apiKeys: ['test-key'],
    seed: 1,
    profile: 'default',
    watch: false,
    limitPolicy: 'reject',
    order: 'newest',
    cors: true,
    checkedProxy: false,
    checkedPort: 4011,
    admin: true,
    journal: 1000,
    log: 'pretty',
  });
});

test('a checked port starts a checked proxy, and a free port gives the proxy a free port', () => {
  expect(resolveMockOptions({ now: '2030-12-05' })).toMatchObject({ now: new Date('2030-12-05T00:00:00Z') });
  expect(resolveMockOptions({ allowHosts: [] })).toMatchObject({ allowHosts: [] });
  expect(resolveMockOptions({ checkedPort: 1 })).toMatchObject({ checkedProxy: true, checkedPort: 1 });
  expect(resolveMockOptions({ port: 0, checkedProxy: true })).toMatchObject({ checkedPort: 0 });
});

test.for<[object | null, string]>([
  [null, 'startMock takes an object of options, such as { port: 0 }'],
  [{ port: 65_536 }, 'port must be an integer from 0 to 65535, not 65536'],
  [{ apiKeys: [] }, 'apiKeys must be an array with at least one value, each printable ASCII'],
  [{ apiKeys: 'test-key' }, 'apiKeys must be an array with at least one value'],
  [{ seed: -1 }, 'seed must be an integer from 0 to 4294967295, not -1'],
  [{ animals: 10_000_001 }, 'animals must be an integer from 0 to 10000000, not 10000001'],
  [{ now: new Date('x') }, 'now must be an ISO 8601 date'],
  [{ now: '2030-12-05T00:00' }, 'now must be an ISO 8601 date, or a time with its offset'],
  [{ data: 5 }, 'data must be the path of a file, or in a program an array of animals, not 5'],
  [{ cors: 'no' }, 'cors must be true or false, not "no"'],
  [{ colour: 1 }, 'there is no option colour'],
  [{ prot: 4020 }, 'there is no option prot; did you mean port?'],
  [{ watch: true, data: [] }, 'watch needs a file of animals: --data, or data that is a path'],
  [{ data: 'a.json', profile: 'empty' }, 'data and profile cannot be combined'],
])('startMock refuses %j', ([options, message]) => {
  const resolve = () => resolveMockOptions(options as MockOptions);
  expect(resolve).toThrow(UsageError);
  expect(resolve).toThrow(message);
});

test('a refused key is not repeated', () => {
  expect(() => resolveMockOptions({ apiKeys: ['top secret'] })).toThrow(/^(?!.*secret).*printable ASCII/);
});

test.for<[string, Environment, MockOptions]>([
  ['--port 5000', { ANIMAL_STORE_PORT: '1', PORT: '2' }, { port: 5000 }],
  ['', { ANIMAL_STORE_PORT: '1', PORT: '2' }, { port: 1 }],
  ['', { ANIMAL_STORE_PORT: '', PORT: '2' }, { port: 2 }],
  ['--allow-host a.test --allow-host .b', {}, { allowHosts: ['a.test', '.b'] }],
  ['', { HOST: 'x86_64-conda-linux-gnu' }, {}],
  ['--api-key a --api-key b', { ANIMAL_STORE_API_KEY: 'c' }, { apiKeys: ['a', 'b'] }],
  ['', { ANIMAL_STORE_API_KEY: ' a  b,c ' }, { apiKeys: ['a', 'b,c'] }],
  ['', { ANIMAL_STORE_SEED: '7', ANIMAL_STORE_PROFILE: 'large' }, { seed: 7, profile: 'large' }],
  ['--log json', { ANIMAL_STORE_ANIMALS: '5' }, { animals: 5, log: 'json' }],
  ['--data a', { ANIMAL_STORE_PROFILE: 'large', ANIMAL_STORE_ANIMALS: '5' }, { data: 'a' }],
  ['--profile empty', { ANIMAL_STORE_ANIMALS: '5' }, { profile: 'empty' }],
  ['--animals 5', { ANIMAL_STORE_DATA: 'a.json' }, { animals: 5 }],
  ['--limit-policy clamp', { ANIMAL_STORE_LIMIT_POLICY: 'reject' }, { limitPolicy: 'clamp' }],
  [
    '',
    { ANIMAL_STORE_CHECKED_PORT: '1', ANIMAL_STORE_NO_CHECKED_PROXY: '1' },
    { checkedPort: 1, checkedProxy: false },
  ],
  ['--latency 50-200 --error-rate 0.05', {}, { latency: '50-200', errorRate: 0.05 }],
  ['--no-admin --admin-token t', {}, { admin: false, adminToken: 't' }],
  ['', { ANIMAL_STORE_DATA: 'a', ANIMAL_STORE_WATCH: '1' }, { data: 'a', watch: true }],
  ['--no-cors', {}, { cors: false }],
  ['', { ANIMAL_STORE_NO_CORS: 'true' }, { cors: false }],
  ['', { ANIMAL_STORE_NO_CORS: '0' }, { cors: true }],
  ['--now 2030-12-05', {}, { now: new Date('2030-12-05T00:00:00Z') }],
  ['--now 2030-12-05T01:00+01:00', {}, { now: new Date('2030-12-05T00:00:00Z') }],
  ['', { ANIMAL_STORE_NOW: '2030-12-05T00:00:00.5Z' }, { now: new Date('2030-12-05T00:00:00.500Z') }],
])('of "%s" and %j', ([line, environment, options]) => {
  expect(read(line, environment)).toEqual(options);
});

test.for<[string, Environment, string]>([
  ['--port http', {}, '--port must be an integer from 0 to 65535, not "http"'],
  ['--port=', {}, '--port must be an integer'],
  ['--port 99999999999999999999', {}, 'not "99999999999999999999"'],
  ['', { ANIMAL_STORE_PORT: 'x', PORT: '1' }, 'ANIMAL_STORE_PORT must be an integer'],
  ['--api-key=', {}, '--api-key must be'],
  ['--api-key kéy', {}, '--api-key must be'],
  ['', { ANIMAL_STORE_NO_CORS: 'yes' }, 'ANIMAL_STORE_NO_CORS must be true or false, not "yes"'],
  ['--now 2030-12-05T00:00', {}, '--now must be'],
  ['--now 2030-12-05T25:00Z', {}, 'such as 2030-12-05T00:00:00Z, not "2030-12-05T25:00Z"'],
  ['--data a.json --profile empty', {}, '--data and --profile cannot be combined: each says what the store'],
  ['--animals 5 --profile empty', {}, '--animals goes with the profile default or large, not with empty'],
  ['--allow-host http://a.test', {}, '--allow-host must be a host name without a port, such as app.test'],
  ['--host=', {}, '--host must be a host name or an IP address, not ""'],
  ['--data=', {}, '--data must be the path of a file'],
  ['--watch', {}, '--watch needs a file of animals: --data'],
  ['--profile huge', {}, '--profile must be default, empty, edge-cases or large, not "huge"'],
  ['--latency 9s', {}, '--latency must be milliseconds up to 600000, such as 200, or 50-200 for any'],
  ['--error-rate 2', {}, '--error-rate must be a number from 0 to 1, such as 0.05, not 2'],
  ['--admin-token=', {}, '--admin-token must be printable ASCII'],
  ['--order name', {}, '--order must be newest, oldest or random, not "name"'],
  ['--log loud', {}, '--log must be pretty, json or silent, not "loud"'],
  ['--checked-port x', {}, '--checked-port must be an integer from 0 to 65535, not "x"'],
  ['--limit-policy Clamp', {}, '--limit-policy must be reject or clamp, not "Clamp"'],
])('refuses "%s" and %j', ([line, environment, message]) => {
  expect(() => read(line, environment)).toThrow(message);
});
