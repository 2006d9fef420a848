import { expect, test } from 'vitest';
import { createTestApp } from '../../tools/testing/create-test-app.ts';
import { get, send } from '../../tools/testing/http-case.ts';
import { createPageMock } from '../testing/create-page-mock.ts';
import { sendAdmin } from '../testing/send-admin.ts';

const hint = 'an animal exists whose id a double rounds to this one: read ids as text';

const ids = [9_007_199_254_740_993n, 2n ** 63n - 1n, -9_007_199_254_740_993n, 2n ** 60n, 7n];
const data = ids.map((id) => ({ id, name: `Animal ${id}`, categoryId: 1 }));

/** An id that an app asks for, and whether it is one of the ids above, rounded. */
const cases: readonly (readonly [petId: string, isRounded: boolean])[] = [
  ['9007199254740992', true],
  ['-9007199254740992', true],
  // JavaScript prints 2^63 so.
  ['9223372036854776000', true],
  ['9223372036854775808', true],
  ['9007199254740994', false],
  ['9223372036854775806', false],
  // Printed by JavaScript, whose double is exactly the id.
  ['1152921504606847000', true],
  ['1152921504606846977', false],
  ['8', false],
  ['abc', false],
  ['', false],
  ['9007199254740992.0', false],
];

test.for(cases)('a 404 for the id %s has the hint: %s', async ([petId, isRounded]) => {
  const { app, requests } = await createTestApp({ data });
  // Other requests, such as lists, have no hint.
  await send(app, get('/v1/pets'));
  const { status, text } = await send(app, get(`/v1/pets/${petId}`));
  expect([status, text.includes('double')]).toEqual([404, false]);
  expect(requests().map((entry) => entry.hint)).toEqual([undefined, isRounded ? hint : undefined]);
});

test('the body of the 404 stays as it is, and the control API and a page have the hint too', async () => {
  const path = '/v1/pets/9007199254740992';
  const body = '{"code":"not_found","message":"No animal has the id 9007199254740992.","status":404}';
  const { app } = await createTestApp({ data });
  expect((await send(app, get(path))).text).toBe(body);
  expect((await sendAdmin(app, ['GET', '/requests'])).body).toMatchObject([{ error: 'not_found', hint }]);
  const { mock, ask } = createPageMock({ data, behaviour: { errorCodes: 'upper' } });
  expect(await (await ask('GET', path))?.text()).toBe(body.replace('not_found', 'NOT_FOUND'));
  expect(mock.requests()).toMatchObject([{ hint }]);
});
