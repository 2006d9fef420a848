import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { contractFile } from '../../common/contract-file.ts';
import { invalidAnimals } from '../../fixtures/invalid-animals.ts';
import { type Profile, profiles } from '../../fixtures/profiles.ts';
import { createFileApp } from '../../tools/testing/create-test-app.ts';
import {
  expectAnswer,
  get,
  type HttpCase,
  type HttpRequest,
  post,
  send,
} from '../../tools/testing/http-case.ts';
import { sampleAnimals } from '../../tools/testing/start-test-mock.ts';
import type { SettingChanges } from '../index.ts';
import { behaviourCases } from '../testing/cases/behaviour-cases.ts';
import { crossCuttingCases } from '../testing/cases/cross-cutting-cases.ts';
import { getPetCases } from '../testing/cases/get-pet-cases.ts';
import { listPetsCases } from '../testing/cases/list-pets-cases.ts';
import { postCases } from '../testing/cases/post-cases.ts';
import { createDocumentCheck } from '../testing/document-check.ts';

const contract = createDocumentCheck(parse(readFileSync(contractFile, 'utf8')), '/v1');
const cases = [listPetsCases, postCases, getPetCases, crossCuttingCases, behaviourCases].flat();
const mock = await createFileApp({ data: sampleAnimals });

const titleOf = ({ request, options }: HttpCase) => JSON.stringify([request, options]).slice(1, 150);

/** Calls and statuses that openapi.yaml does not have. */
const isUndocumented = (call: Parameters<typeof contract.find>[0], status: number) =>
  contract.find(call) === undefined || [409, 413, 415].includes(status);

test.for(cases.map((row) => [titleOf(row), row] as const))('as openapi.yaml allows: %s', async ([, row]) => {
  const { options, request, answer } = row;
  mock.reset();
  mock.configure({ ...options } as SettingChanges);
  const response = await send(mock.app, request);
  const { status, headers, text } = response;
  expectAnswer(response, request.method, answer);
  expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' });
  expect(headers).not.toHaveProperty('x-powered-by');
  const call = [request.method, request.path] as const;
  const problems = contract.checkResponse(call, status, headers['content-type']?.split(';')[0], text);
  const undocumented = isUndocumented(call, status) ? [`there is no response ${status}`] : [];
  expect(problems).toEqual(undocumented);
});

test('the cases have every response that openapi.yaml documents', () => {
  const documented = contract.operations.flatMap(({ line, responses }) =>
    Object.keys(responses).map((status) => `${line} ${status}`),
  );
  const answered = cases.map(({ request: { method, path }, answer: { status } }) => {
    const { line } = contract.find([method, path]) ?? {};
    return `${line} ${status}`;
  });
  expect(documented).toContain('POST /v1/pets 201');
  expect(documented.filter((response) => !answered.includes(response))).toEqual([]);
});

test.for([
  ...['/v1/pets?status=sold', '/v1/pets?limit=0', '/v1/pets/1', '/v1/pets/999', '/v1/pets/%ZZ'],
  ...['/v1/nothing', '/health', '/openapi.yaml', '/openapi.json', '/docs', '/docs/swagger-ui.css'],
  ...['/docs/openapi.json', '/', '/sessions/w1/', '/__console/page.js', '/__admin/state'],
])('the response to HEAD %s has the status and the headers of GET, and no body', async (path) => {
  mock.reset();
  // Only a browser gets the console at `/`.
  const asked = get(path, { Accept: 'text/html' });
  const answers = [await send(mock.app, asked), await send(mock.app, { ...asked, method: 'HEAD' })];
  const [ofGet, ofHead] = answers.map(({ status, headers: { date, ...lasting } }) => ({ status, lasting }));
  expect(ofHead).toEqual(ofGet);
  expect(answers.map(({ text = '' }) => text !== '')).toEqual([true, false]);
});

test('openapi.yaml allows the list of each profile, and refuses the bodies that the mock refuses', async () => {
  for (const profile of Object.keys(profiles) as Profile[]) {
    await mock.fill(profile);
    const { body } = await send(mock.app, get('/v1/pets?limit=100'));
    expect(body).toHaveLength(Math.min(mock.animals.size, 100));
    expect(contract.checkValue('Pets', body)).toEqual([]);
  }
  for (const { why, fields, json } of invalidAnimals) {
    // To ajv, integers beyond int64 are integers.
    if (fields.join() === 'categoryId' && Number.isInteger(JSON.parse(json).categoryId)) continue;
    expect(contract.checkValue('NewPet', JSON.parse(json)), why).not.toEqual([]);
  }
});

const Origin = 'http://localhost:5173';

/** Returns the preflight of a PUT with an Authorization header, without a key. */
function preflight(path: string): HttpRequest {
  const asked = { 'Access-Control-Request-Headers': 'authorization,content-type' };
  const headers = { Origin, Authorization: undefined, 'Access-Control-Request-Method': 'PUT', ...asked };
  return { method: 'OPTIONS', path, headers };
}

test.for(['/v1/pets', '/sessions/w1/v1/pets', '/nowhere'])('a preflight of %s is granted', async (path) => {
  const { status, headers, text } = await send(mock.app, preflight(path));
  expect([status, text]).toEqual([204, '']);
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'PUT',
    'access-control-allow-headers': 'authorization,content-type',
    'access-control-max-age': '600',
    vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
  });
});

test('a preflight is a request of the session in its path, and starts none', async () => {
  mock.reset();
  const session = mock.session('w1');
  session.clearRequests();
  for (const name of ['w1', 'other']) await send(mock.app, preflight(`/sessions/${name}/v1/pets`));
  expect(session.requests()).toMatchObject([{ method: 'OPTIONS', url: '/v1/pets', operation: undefined }]);
  expect([mock.requests(), mock.sessions()]).toEqual([[], ['w1']]);
});

test('every message has its own id and its time', async () => {
  mock.reset();
  const queue = async () => (await send(mock.app, post('/messages', '{"message":"hi"}'))).body;
  const [first, second] = [await queue(), await queue()];
  expect(first.id).not.toBe(second.id);
  expect(Math.abs(Date.parse(first.createdAt) - Date.now())).toBeLessThan(10_000);
});
