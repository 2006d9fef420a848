import {
  validateInput,
  validateOutput,
  validateSecurity,
} from '@stoplight/prism-http/dist/validator/index.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractFile } from '../../common/contract-file.ts';
import { createShortcut, type PrismRequest, type PrismResponse } from './create-shortcut.ts';
import { readOperations } from './read-operations.ts';

type Element = Parameters<typeof validateInput>[0]['element'];

const operations = await readOperations(contractFile);

/** Mostly the first value, which conforms. */
const mostly = (usual: unknown, ...others: unknown[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

/** An object with most of these members. */
const recordOf = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) => {
  const values = Object.entries(members).map(([name, value]) =>
    fc.tuple(fc.constant(name), fc.oneof({ weight: 9, arbitrary: value }, fc.constant(undefined))),
  );
  return fc
    .tuple(...values)
    .map((pairs) => Object.fromEntries(pairs.filter(([, value]) => value !== undefined)));
};

const types = 'application/json; charset=utf-8|Application/JSON|application/problem+json|text/plain|*/*';
const otherTypes = [
  ...types.split('|'),
  'application/json; charset=latin1',
  'application/json, text/html',
  '',
];
const integer = mostly(7, -1, 1.5, '7', null, 2 ** 53, 1e300, true, [7]);
const name = mostly('Rex', '', 7, null, ['Rex']);
const status = mostly('available', 'sold', 'Sold', '', null, 7);
const animal = recordOf({ id: integer, name, categoryId: integer, status });
const error = recordOf({ code: name, message: name, status: mostly(404, '404', 4.5) });
const list = fc.array(fc.oneof(animal, fc.constant('x')), { maxLength: 3 });
const body = fc.oneof(animal, error, list, fc.constantFrom(null, '', 'x', 0, false));
const headers = recordOf({
  authorization: mostly('Bearer k', 'Bearer', 'Bearer  ', 'Basic a2V5', 'XBearer k', undefined),
  'content-type': mostly('application/json', ...otherTypes),
  'content-length': mostly(undefined, '0', '12', '-1', '', 'x', '0x1'),
});
const query = recordOf({
  limit: mostly('20', '0', '101', '1e1', '', ' 7', 'ten', ['1', '2']),
  status: mostly('sold', 'Sold', '', ['sold', 'sold']),
});
const paths = '/pets /pets/7 /pets/-7 /pets/x /pets/ /p%65ts /pets/%37 /pets/7/ /'.split(' ');

test('a message that the shortcut accepts is one in which Prism finds nothing', () => {
  const accepted = new Map<string, number>();
  const expectNone = (name: string, ...results: readonly { readonly _tag: string }[]) => {
    accepted.set(name, (accepted.get(name) ?? 0) + 1);
    for (const { _tag } of results) expect(_tag).toBe('Right');
  };
  const url = fc.record({ path: fc.constantFrom(...paths), query });
  const request = fc.record({ url, headers, body: fc.oneof(fc.constant(null), body) });
  const response = fc.record({ statusCode: fc.constantFrom(200, 201, 400, 401, 404, 500), headers, body });
  const shortcuts = operations.map((resource) => ({ resource, shortcut: createShortcut(resource) }));
  const operation = fc.constantFrom(...shortcuts);
  const property = fc.property(operation, request, response, ({ resource, shortcut }, sent, answered) => {
    const element = { ...sent, method: resource.method } as PrismRequest & Element;
    if (shortcut.acceptsRequest(element)) {
      const results = [validateSecurity({ resource, element }), validateInput({ resource, element })];
      expectNone(`request of ${resource.iid}`, ...results);
    }
    if (shortcut.acceptsResponse(answered as PrismResponse)) {
      const result = validateOutput({ resource, element: answered as PrismResponse });
      expectNone(`${answered.statusCode} of ${resource.iid}`, result);
    }
  });
  fc.assert(property, { numRuns: 10_000 });
  // The usual messages are accepted without Prism.
  expect([...accepted.keys()].sort()).toEqual([
    ...['200 of getPet', '200 of listPets', '201 of createPet', '400 of createPet', '400 of listPets'],
    ...['401 of createPet', '401 of getPet', '401 of listPets', '404 of getPet'],
    ...['request of createPet', 'request of getPet', 'request of listPets'],
  ]);
});
