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

const operations = await readOperations(contractFile);

/** Mostly what conforms, with something else in one place or another. */
const mostly = <Value>(usual: Value, ...others: Value[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
const left = <Name extends string>(name: Name, values: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 9, arbitrary: values.map((value) => ({ [name]: value })) }, fc.constant({}));
const join = (...parts: fc.Arbitrary<object>[]) => fc.tuple(...parts).map((all) => Object.assign({}, ...all));

const integer = mostly<unknown>(7, -1, 1.5, '7', null, 2 ** 53, 1e300, true, [7]);
const name = mostly<unknown>('Rex', '', 7, null, ['Rex']);
const status = mostly<unknown>('available', 'sold', 'Sold', '', null, 7);
const animal = join(
  left('id', integer),
  left('name', name),
  left('categoryId', integer),
  left('status', status),
);
const error = join(
  left('code', name),
  left('message', name),
  left('status', mostly<unknown>(404, '404', 4.5)),
);
const body = fc.oneof(
  animal,
  error,
  fc.array(fc.oneof(animal, fc.constant('x')), { maxLength: 3 }),
  fc.constantFrom(null, '', 'x', 0, false),
);
const type = mostly<string | undefined>(
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json; charset=latin1',
  'application/problem+json',
  'text/plain',
  'application/json, text/html',
  '*/*',
  '',
  undefined,
);
const headers = fc
  .record({
    authorization: mostly<string | undefined>(
      'Bearer k',
      'Bearer',
      'Bearer  ',
      'Basic a2V5',
      'XBearer k',
      undefined,
    ),
    'content-type': type,
    'content-length': mostly<string | undefined>(undefined, '0', '12', '-1', '', 'x', '0x1'),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
const query = join(
  left('limit', mostly<unknown>('20', '0', '101', '1e1', '', ' 7', 'ten', ['1', '2'])),
  left('status', mostly<unknown>('sold', 'Sold', '', ['sold', 'sold'])),
);
const path = fc.constantFrom(
  '/pets',
  '/pets/7',
  '/pets/-7',
  '/pets/x',
  '/pets/',
  '/p%65ts',
  '/pets/%37',
  '/pets/7/',
  '/',
);

test('a message that the shortcut accepts is one in which Prism finds nothing', () => {
  let accepted = 0;
  const plain = fc.record({
    url: fc.record({ path, query }),
    headers,
    body: fc.oneof(fc.constant(null), body),
  });
  const response = fc.record({ statusCode: fc.constantFrom(200, 201, 400, 401, 404, 500), headers, body });
  const operation = fc.constantFrom(
    ...operations.map((resource) => ({ resource, shortcut: createShortcut(resource) })),
  );
  const property = fc.property(operation, plain, response, ({ resource, shortcut }, plain, response) => {
    const { acceptsRequest, acceptsResponse } = shortcut;
    const request = { ...plain, method: resource.method } as PrismRequest;
    if (acceptsRequest(request)) {
      accepted += 1;
      const element = request as Parameters<typeof validateInput>[0]['element'];
      expect(validateSecurity({ resource, element })._tag).toBe('Right');
      expect(validateInput({ resource, element })._tag).toBe('Right');
    }
    if (!acceptsResponse(response as PrismResponse)) return;
    accepted += 1;
    expect(validateOutput({ resource, element: response as PrismResponse })._tag).toBe('Right');
  });
  fc.assert(property, { numRuns: 5_000 });
  expect(accepted).toBeGreaterThan(100);
});

test.each(operations.map((operation) => [operation.iid, operation] as const))(
  'what a client of %s usually sends, and is answered, is accepted at once',
  (id, operation) => {
    const headers = { authorization: 'Bearer k', host: '127.0.0.1' };
    const json = { 'content-type': 'application/json; charset=utf-8' };
    const one = { id: 1, name: 'Rex', categoryId: 3, status: 'sold' };
    const { acceptsRequest, acceptsResponse } = createShortcut(operation);
    const paths: Record<string, string> = { getPet: '/pets/7' };
    const { body, ...rest } = id === 'createPet' ? { body: one, ...json } : { body: null };
    const url = { path: paths[id ?? ''] ?? '/pets', query: id === 'listPets' ? { limit: '20' } : {} };
    expect(acceptsRequest({ url, headers: { ...headers, ...rest }, body })).toBe(true);
    const refused = { code: 'unauthorized', message: 'no', status: 401 };
    expect(acceptsResponse({ statusCode: 401, headers: json, body: refused })).toBe(true);
    const [statusCode, answer] =
      { listPets: [200, [one]], createPet: [201, one], getPet: [200, one] }[String(id)] ?? [];
    expect(acceptsResponse({ statusCode: Number(statusCode), headers: json, body: answer })).toBe(true);
  },
);
