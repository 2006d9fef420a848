import { expect, test } from 'vitest';
import { get, type HttpRequest, post } from '../../tools/testing/http-case.ts';
import { createPageMock } from '../testing/create-page-mock.ts';
import type { ErrorCodes } from './errors.ts';

const pets = '/v1/pets';

/** A request that is refused for each kind. */
const requests: Readonly<Record<string, HttpRequest>> = {
  '400 limit': get(`${pets}?limit=0`),
  '400 filter status': get(`${pets}?status=lost`),
  '400 unknownParameter': get(`${pets}?page=2`),
  '400 petId': get(`${pets}/abc`),
  '400 malformed': post(pets, '{"name":'),
  '400 noObject': post(pets, '[]'),
  '400 missing name': post(pets, '{"categoryId":2}'),
  '400 missing categoryId': post(pets, '{"name":"Rex"}'),
  '400 member name': post(pets, '{"name":5,"categoryId":2}'),
  '400 member categoryId': post(pets, '{"name":"Rex","categoryId":"2"}'),
  '400 member status': post(pets, '{"name":"Rex","categoryId":2,"status":5}'),
  '401 missing': get(pets, { Authorization: undefined }),
  '401 scheme': get(pets, { Authorization: 'Basic other' }),
  '401 invalid': get(pets, { Authorization: 'Bearer other' }),
  '404 path': get('/v1/nothing'),
  '404 petId': get(`${pets}/abc`),
  '404 animal': get(`${pets}/999`),
};

const keys = Object.keys(requests);
const codeOf = (key: string) => key.replaceAll(' ', '_');
const allCodes = Object.fromEntries(keys.map((key) => [key, codeOf(key)]));

/** Returns the code of the Error that a mock sends for a kind. */
async function readCode(key: string, errorCodes: ErrorCodes): Promise<string> {
  const malformedId = key === '400 petId' ? 400 : 404;
  const behaviour = {
    errorCodes,
    malformedId,
    unknownParameters: 'refuse',
    refusedMember: 'absent',
  } as const;
  const { send } = createPageMock({ behaviour });
  const response = await send(requests[key] as HttpRequest);
  const { code, status } = JSON.parse(await response.text());
  return `${status} ${code}`;
}

test.for(keys)('a refusal of %s has its own code, or else that of its status', async (key) => {
  const [status = ''] = key.split(' ');
  expect(await readCode(key, { ...allCodes, [status]: 'OF_STATUS' })).toBe(`${status} ${codeOf(key)}`);
  expect(await readCode(key, { [status]: 'OF_STATUS', '405': 'OTHER' })).toBe(`${status} OF_STATUS`);
});
