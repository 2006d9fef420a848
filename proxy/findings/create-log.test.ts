import { expect, test } from 'vitest';
import { loadContract } from '../../common/load-contract.ts';
import { Keys } from '../../common/text/redact.ts';
import type { Exchange } from '../exchange.ts';
import { createExchange, down } from '../testing/create-exchange.ts';
import { createLog } from './create-log.ts';
import { FindingsRecord } from './findings-record.ts';
import { summarize } from './redact-exchange.ts';

const startedAt = Date.parse('2026-05-04T09:30:00.123Z');

/** Returns the lines that the log has of these exchanges. */
function log(format: 'pretty' | 'json', ...exchanges: readonly Exchange[]): string[] {
  const lines: string[] = [];
  const record = new FindingsRecord(loadContract(), new Keys());
  const paint = (colour: string, text: string) => `<${colour}>${text}`;
  const writeLog = createLog(format, paint, (line) => lines.push(line.trimEnd()));
  for (const exchange of exchanges) {
    const { found, failure } = record.add(exchange, 'https://staging.example');
    writeLog(summarize({ ...exchange, startedAt }, new Keys()), found, failure);
  }
  return lines;
}

const target = `/pets?limit=0&limit=${'x'.repeat(300)}`;
const invalid = createExchange('/pets?limit=0', {});

test('a violation is one line for people, of the proxy or of a HAR file', () => {
  const rest =
    'listPets request.query.limit minimum: Request query parameter limit must be >= 1; received "0"';
  expect(log('pretty', invalid)).toEqual([
    `09:30:00 proxy violation <red>error ${rest} (1 so far, GET /v1/pets?limit=0)`,
  ]);
  expect(log('pretty', { ...invalid, entry: 3 })).toEqual([
    `09:30:00 violation <red>error ${rest} (1 so far, log.entries[3] GET /v1/pets?limit=0)`,
  ]);
  const text =
    'The contract has no such path, only /pets and /pets/{petId} under the base URL; received GET /v1/nothing';
  expect(log('pretty', createExchange('/nothing', { status: 404 }))).toEqual([
    `09:30:00 proxy violation <yellow>warning - request unknown-path: ${text} (1 so far, GET /v1/nothing)`,
  ]);
});

test('a violation is an object for programs, with a target that is cut', () => {
  const line = {
    ...{ time: '2026-05-04T09:30:00.123Z', violation: 'error', operation: 'listPets', count: 1 },
    ...{ place: 'request.query.limit', method: 'GET', url: `/v1${target}`.slice(0, 200) },
  };
  const [first = ''] = log('json', createExchange(target, {}));
  expect(JSON.parse(first)).toMatchObject({ ...line, from: 'proxy' });
  const [ofFile = ''] = log('json', { ...createExchange(target, {}), entry: 3 });
  expect(JSON.parse(ofFile)).toMatchObject({ ...line, entry: 3 });
  expect(JSON.parse(ofFile)).not.toHaveProperty('from');
});

test('people get a rule again when its count has doubled, once for each exchange, and programs get all', () => {
  const animals = Buffer.from(JSON.stringify([{ id: 'a' }, { id: 'b' }]));
  const ofList = createExchange('/pets', { body: animals });
  const exchanges = Array.from({ length: 10 }, () => ofList);
  const isOfId = (line: string) => / type: /.test(line);
  const counts = log('pretty', ...exchanges).filter(isOfId);
  expect(counts.map((line) => /(\d+) so far/.exec(line)?.[1])).toEqual(['2', '4', '8', '16']);
  expect(log('json', ...exchanges).filter((line) => line.includes('"type"'))).toHaveLength(10);
});

test('an upstream without a response has its reason in the log, and a client that gave up has none', () => {
  const failed = createExchange('/pets/1', down);
  expect(log('pretty', failed, failed, failed, createExchange('/pets/1'))).toEqual([
    '09:30:00 proxy no response: It is down. (1 so far, GET /v1/pets/1)',
    '09:30:00 proxy no response: It is down. (2 so far, GET /v1/pets/1)',
  ]);
  expect(JSON.parse(log('json', failed)[0] ?? '')).toMatchObject({ failure: 'It is down.', count: 1 });
});
