import { expect, test } from 'vitest';
import type { Environment } from '../common/cli/environment.ts';
import { readOptions } from '../common/cli/read-options.ts';
import { UsageError } from '../common/cli/usage-error.ts';
import type { MockOptions } from './mock-options.ts';
import { mockCommand, resolveMockOptions } from './options.ts';

test.for<[object | null, string | RegExp]>([
  [null, 'startMock takes an object of options, such as { port: 0 }'],
  // A refused key is not repeated.
  [{ apiKeys: ['top secret'] }, /^(?!.*secret).*printable ASCII/],
  [{ apiKeys: ['top\u0007secret'] }, /^(?!.*secret)apiKeys .*an invisible character \(U\+0007\), .* 4$/],
  [{ now: new Date('x') }, 'now must be an ISO 8601 date'],
  [{ port: Number.NaN }, 'port must be an integer from 0 to 65535, not NaN'],
  [{ latency: Number.POSITIVE_INFINITY }, 'or 50-200 for any from 50 to 200, not Infinity'],
  [{ data: 5 }, 'data must be the path of a file, or in a program an array of animals, not 5'],
  [{ admin: 'no' }, 'admin must be true or false, not "no"'],
  [{ prot: 4020 }, 'there is no option prot. Did you mean port?'],
  [
    { checkedPort: 4010 },
    'checkedPort must be another port than that of the mock, not 4010. 0 is a free one.',
  ],
  [{ noAdmin: true }, 'there is no option noAdmin. Write admin: false'],
  [{ noPort: true }, /no option noPort$/],
  [{ corsOrigins: ['http://a.test/app'] }, 'not "http://a.test/app". Did you mean http://a.test?'],
  [{ corsOrigins: ['http://ann:pass@a.test'] }, /staging.example. Did you mean http:\/\/a.test\?$/],
  [{ corsOrigins: ['*'] }, /an origin such as https:\/\/staging.example, not "\*"$/],
  [{ watch: true, data: [] }, 'watch requires --data, or data with the path of a file'],
  [{ save: true, data: [] }, 'save requires --data, or data with the path of a file'],
])('startMock refuses %j', ([options, message]) => {
  const resolve = () => resolveMockOptions(options as MockOptions);
  expect(resolve).toThrow(UsageError);
  expect(resolve).toThrow(message);
});

test.for<[MockOptions, number]>([
  [{}, 4011],
  [{ port: 24_010 }, 24_011],
  [{ port: 0 }, 0],
  // There is no next port.
  [{ port: 65_535 }, 0],
  [{ port: 24_010, checkedPort: 1 }, 1],
])('with %j the checked proxy has the port %i', ([options, port]) => {
  expect(resolveMockOptions(options).checkedPort).toBe(port);
});

const read = (line: string, variables: Environment) => {
  const environment = JSON.parse(JSON.stringify(variables).replaceAll('"_', '"ANIMAL_STORE_'));
  return readOptions(mockCommand, line === '' ? [] : line.split(' '), { environment });
};

// `_PORT` is ANIMAL_STORE_PORT.
test.for<[string, Environment, MockOptions]>([
  ['--port 5000', { _PORT: '1', PORT: '2' }, { port: 5000 }],
  ['', { _PORT: '1', PORT: '2' }, { port: 1 }],
  ['', { _PORT: '', PORT: '2' }, { port: 2 }],
  ['', { HOST: 'x86_64-conda-linux-gnu' }, {}],
  ['--api-key a --api-key b', { _API_KEY: 'c' }, { apiKeys: ['a', 'b'] }],
  ['', { _API_KEY: ' a  b,c ' }, { apiKeys: ['a', 'b,c'] }],
  ['--api-key a\n --admin-token b\r\n', {}, { apiKeys: ['a'], adminToken: 'b' }],
  ['--log json', { _SEED: '7', _ANIMALS: '5' }, { seed: 7, animals: 5, log: 'json' }],
  ['--data a', { _PROFILE: 'large', _ANIMALS: '5' }, { data: 'a' }],
  ['', { _CHECKED_PORT: '1', _NO_CHECKED_PROXY: '1' }, { checkedPort: 1, checkedProxy: false }],
  ['--port 0 --checked-port 0', {}, { port: 0, checkedPort: 0 }],
  ['--latency 50-200', {}, { latency: '50-200' }],
  ['--no-admin --allow-host a.test --allow-host .b', {}, { admin: false, allowHosts: ['a.test', '.b'] }],
  ['', { _DATA: 'a', _WATCH: '1' }, { data: 'a', watch: true }],
  ['', { _NO_ADMIN: '0' }, { admin: true }],
  // A switch that is off conflicts with nothing.
  ['--data a --watch', { _SAVE: '0' }, { data: 'a', watch: true, save: false }],
  ['--now 2030-12-05T01:00+01:00', {}, { now: new Date('2030-12-05') }],
])('reads "%s" and %j', ([line, variables, options]) => {
  expect(read(line, variables)).toEqual(options);
});

test.for<[string, Environment, string]>([
  ['--port http', {}, '--port must be an integer from 0 to 65535, not "http"'],
  ['', { _PORT: 'x', PORT: '1' }, 'ANIMAL_STORE_PORT must be an integer'],
  ['', { _NO_ADMIN: 'yes' }, 'ANIMAL_STORE_NO_ADMIN must be true or false, not "yes"'],
  ['--now 2030-02-30', {}, 'such as 2030-12-05T00:00:00Z, not "2030-02-30"'],
  ['--now 2030-12-05T25:00Z', {}, 'such as 2030-12-05T00:00:00Z, not "2030-12-05T25:00Z"'],
  ['--data a.json --profile empty', {}, '--data and --profile cannot be combined. Leave one out.'],
  ['--animals 5 --profile empty', {}, '--animals requires the profile default or large, not empty'],
  ['--allow-host http://a.test', {}, '--allow-host must be a host name without a port, such as app.test'],
  ['--host=', {}, '--host must be a host name or an IP address, not ""'],
  ['--watch', {}, '--watch requires --data'],
  ['--data a --save --watch', {}, '--save and --watch cannot be combined. Leave one out.'],
  ['--save', {}, '--save requires --data'],
  [
    '--profile empty',
    { _DATA: 'a.json', _SAVE: 'true' },
    'ANIMAL_STORE_SAVE requires --data, which cannot be combined with --profile. Leave one out.',
  ],
  ['--try-behaviours --save --data a.json', {}, '--try-behaviours and --save cannot be combined.'],
  ['--try-behaviours --behaviour strict', {}, '--try-behaviours and --behaviour cannot be combined.'],
  ['--fail-on error --no-checked-proxy', {}, '--fail-on and --no-checked-proxy cannot be combined.'],
  ['--fail-on error --checked-port 0', {}, '--fail-on and --checked-port cannot be combined.'],
  ['--fail-on error --try-behaviours', {}, '--fail-on and --try-behaviours cannot be combined.'],
  ['--port 5000', { _CHECKED_PORT: '5000' }, 'ANIMAL_STORE_CHECKED_PORT must be another port than'],
  ['--cors-origin localhost:5173', {}, 'not "localhost:5173". Did you mean http://localhost:5173?'],
  ['--report x.json', {}, '--report requires --fail-on or --try-behaviours'],
  ['--profile huge', {}, '--profile must be default, empty, edge-cases or large, not "huge"'],
  ['--latency 9s', {}, '--latency must be milliseconds up to 600000, such as 200, or 50-200 for any'],
  ['--latency 50-600001', {}, '--latency must be milliseconds up to 600000'],
  ['--admin-token=', {}, '--admin-token must not be empty'],
])('refuses "%s" and %j', ([line, variables, message]) => {
  expect(() => read(line, variables)).toThrow(message);
});
