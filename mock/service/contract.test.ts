import { expect, test } from 'vitest';
import { readAnimalFacts } from '../../common/json/animal-facts.ts';
import { parseExactJson } from '../../common/json/exact-json.ts';
import { addCreatedAt, addFilter, changeContract } from '../../tools/testing/change-contract.ts';
import { toPets } from '../session/animals.ts';
import { answer, methodsAt } from './answer.ts';
import { createServiceContract } from './contract.ts';
import { createContents, PetStore } from './pet-store.ts';
import { printAnswer } from './print-answer.ts';

const createdAt = '2028-01-31T12:00:00Z';

/** Creates a service with a member and a filter that openapi.yaml does not have. @param schemas those with the member createdAt */
function createService(schemas: readonly string[]) {
  const document = changeContract((written) => {
    addCreatedAt(written, [...schemas]);
    addFilter(written, 'categoryId');
  });
  const contract = createServiceContract(readAnimalFacts(document));
  const animals = [
    { id: 1, name: 'Rex', categoryId: 3, status: 'sold', createdAt },
    { id: 2, name: 'Max', categoryId: 4, status: 'sold' },
    { id: 3, name: 'Leo', categoryId: 3 },
  ];
  const world = {
    ...{ contract, store: new PetStore(createContents(toPets(animals, contract))), apiKeys: ['test-key'] },
    ...{ now: new Date(createdAt), clock: 0, random: Math.random, createId: () => '' },
  };
  return (line: string, body = '') => {
    const [method = '', target = ''] = line.split(' ');
    const [path = '', search = ''] = target.split('?');
    const reply = printAnswer(
      answer(
        {
          ...{ operation: methodsAt(path)?.[method], method, path, search, basePath: '/v1', marks: {} },
          ...{ query: new URLSearchParams(search), body: new TextEncoder().encode(body) },
          headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
        },
        world,
      ),
    );
    return { status: reply.status, body: parseExactJson(reply.body) };
  };
}

const ask = createService(['Pet', 'NewPet']);
const rex = { id: 1n, name: 'Rex', categoryId: 3n, status: 'sold', createdAt };
const leo = { id: 3n, name: 'Leo', categoryId: 3n };

test.for<[query: string, listed: readonly object[]]>([
  ['categoryId=3', [leo, rex]],
  ['categoryId=3&limit=1', [leo]],
  ['categoryId=3&status=sold', [rex]],
  ['categoryId=5', []],
  ['categoryId=9223372036854775807', []],
])('a filter that the contract has more selects animals: %s', ([query, body]) => {
  expect(ask(`GET /v1/pets?${query}`)).toEqual({ status: 200, body });
});

test.for([
  ['categoryId=x', 'categoryId must be a 64-bit integer, not "x".'],
  ['categoryId=', 'categoryId must be a 64-bit integer, not "".'],
  ['categoryId=9223372036854775808', 'categoryId must be a 64-bit integer, not "9223372036854775808".'],
  ['categoryId=3&categoryId=4', 'categoryId must be a 64-bit integer, not 2 values.'],
  [
    'limit=0&categoryId=3.5',
    'limit must be an integer from 1 to 100, not "0". categoryId must be a 64-bit integer, not "3.5".',
  ],
])('an invalid value of a filter that the contract has more is named: %s', ([query, message]) => {
  const body = { code: 'invalid_request', message, status: 400n };
  expect(ask(`GET /v1/pets?${query}`)).toEqual({ status: 400, body });
});

test('a member that NewPet has more is stored, and returned by each operation', () => {
  const service = createService(['Pet', 'NewPet']);
  const body = { id: 4n, name: 'Kim', categoryId: 9n, createdAt };
  const sent = `{"createdAt":"${createdAt}","name":"Kim","categoryId":9}`;
  expect(service('POST /v1/pets', sent)).toEqual({ status: 201, body });
  expect(service('GET /v1/pets/4')).toEqual({ status: 200, body });
  expect(service('GET /v1/pets?categoryId=9')).toEqual({ status: 200, body: [body] });
  const without = service('POST /v1/pets', '{"name":"Ann","categoryId":9}');
  expect(without).toEqual({ status: 201, body: { id: 5n, name: 'Ann', categoryId: 9n } });
});

test.for(['"2028-01-31"', '"today"', '5', 'null'])('%s is no value of a member that is a time', (value) => {
  const { status, body } = ask('POST /v1/pets', `{"name":"Kim","categoryId":9,"createdAt":${value}}`);
  const message = expect.stringMatching(/^createdAt must be a time such as .*, not /);
  expect([status, body]).toMatchObject([400, { message }]);
});

test('a member that only Pet has is returned, and a request cannot set it', () => {
  const service = createService(['Pet']);
  const sent = '{"name":"Kim","categoryId":9,"createdAt":5}';
  expect(service('POST /v1/pets', sent)).toEqual({
    status: 201,
    body: { id: 4n, name: 'Kim', categoryId: 9n },
  });
  expect(service('GET /v1/pets/1')).toEqual({ status: 200, body: rex });
});
