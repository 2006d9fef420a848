import { expect, test } from 'vitest';
import { createExchange, findIn, printError } from '../testing/create-exchange.ts';
import { printFindings } from './print-run.ts';

const json = { 'content-type': 'application/json', authorization: 'Bearer the-key' };
const toBody = (value: unknown) => Buffer.from(JSON.stringify(value));
const printPet = (status?: unknown) => ({ id: 1, name: 'Rex', categoryId: 2, status });
const create = (pet: object, answered: object, status = 201) =>
  createExchange(
    '/pets',
    { status, body: toBody(answered) },
    { method: 'POST', headers: json, body: toBody(pet) },
  );

test('the coverage has the parameters, statuses, members and values of each exchange', () => {
  const findings = findIn(
    createExchange('/pets?limit=3', {
      body: toBody([printPet('sold'), printPet('sold'), printPet({ toString: 1 }), printPet(), null]),
    }),
    create(printPet('pending'), printPet('gone')),
    ...['available', 'pending', 'sold'].map((status) =>
      createExchange('/pets/1', { body: toBody(printPet(status)) }),
    ),
    ...[401, 404].map((status) => createExchange('/pets/1', { status, body: printError(status) })),
  );
  expect(printFindings(findings, { failOn: 'never' }).split('\n').slice(-5)).toEqual([
    'coverage: 18 of 33 parts of the contract',
    '  listPets: 1 (?limit 1, :200 1, :200.status 1, :200.status=sold 1), without ?status :200.status=available :200.status=pending :400 :401',
    '  createPet: 1 (.status 1, .status=pending 1, :201 1, :201.status 1), without .status=available .status=sold :201.status=available :201.status=pending :201.status=sold :400 :401',
    '  getPet: 5 (:200 3, :200.status 3, :200.status=available 1, :200.status=pending 1, :200.status=sold 1, :401 1, :404 1), all parts',
    '',
  ]);
});

test.for([
  ...['limit=05', 'limit=500', 'limit=', 'limit=5&limit=x'],
  ...['status=', 'status=lost', 'status=sold&status=lost'],
])('an invalid value is no coverage of the parameter: %s', (query) => {
  const { coverage } = findIn(createExchange(`/pets?${query}`, {}));
  const [name = ''] = query.split('=');
  expect(coverage).toMatchObject({ listPets: 1, [`listPets?${name}`]: 0, 'listPets?status=sold': 0 });
});

test('an invalid member of the request is no coverage of the member', () => {
  const { coverage } = findIn(create({ ...printPet('lost') }, { ...JSON.parse(`${printError(400)}`) }, 400));
  expect(coverage).toMatchObject({ 'createPet:400': 1, 'createPet.status': 0 });
});

test('a HEAD is an exchange of its operation, and no coverage, because its response has no body to check', () => {
  const { coverage, operations } = findIn(
    createExchange('/pets?limit=1', { body: undefined }, { method: 'HEAD' }),
  );
  expect(operations).toContainEqual({ operationId: 'listPets', exchanges: 1 });
  expect(Object.values(coverage).filter((count) => count > 0)).toEqual([]);
});

test('the response of a fault of the mock covers nothing', () => {
  const { coverage, faults } = findIn(createExchange('/pets', { isMadeByFault: true }));
  expect([faults, ...Object.values(coverage)].filter((count) => count > 0)).toEqual([1]);
});
