import { expect, test } from 'vitest';
import { choiceNames, type Difference } from '../mock/choices/choices.ts';
import { exchangeRaw } from '../tools/testing/exchange-raw.ts';
import { listValues } from '../tools/testing/list-values.ts';
import { startFileMock } from '../tools/testing/start-test-mock.ts';
import { startTestProxy } from './testing/start-test-proxy.ts';
import { exchangeRules } from './validate/exchange-rules.ts';

const mock = await startFileMock({ animals: 130 });

const queries = [
  ...['', '?limit=1', '?limit=20', '?limit=25', '?limit=100', '?limit=101', '?limit=0', '?limit=-1'],
  ...['?limit=abc', '?limit=1.5', '?limit=01', '?limit=', '?limit=1&limit=50', '?limit=50&limit=1'],
  ...['?status=available', '?status=pending', '?status=sold', '?status=lost', '?status=', '?sort=name'],
  ...['?status=sold&status=pending', '?status=sold&limit=2', '?Limit=100', '?status=SOLD&limit=30'],
];

const bodies = [
  ...['{"name":"Rex","categoryId":1}', '{"name":"Rex","categoryId":1}'],
  ...[
    '{"name":"Zoë 🐈‍⬛","categoryId":2,"status":"sold"}',
    '{"name":"a","categoryId":1e0,"status":"pending"}',
  ],
  ...['{"name":"b","categoryId":1.0}', '{"name":"c","categoryId":9223372036854775807}'],
  ...['{"name":"d","categoryId":-1}', '{"name":"","categoryId":1}', '{"name":"\\ud83d","categoryId":1}'],
  ...['{"name":"e","name":"f","categoryId":1,"categoryId":2,"status":"sold","status":"pending"}'],
  ...[`{"name":"${'x'.repeat(300)}","categoryId":1}`, `{"name":"${'y'.repeat(2_000)}","categoryId":1}`],
  ...['{"name":"g","categoryId":1,"id":7,"colour":{"red":[1]}}', '{"name":" h \\u0000\\n","categoryId":1}'],
  ...['{}', '[]', '{"name":1,"categoryId":"1","status":"lost"}', '{"name":'],
];

/** Sends requests of each operation, with valid and invalid values. */
async function sendAll(url: string): Promise<void> {
  const key = ['Authorization', 'Bearer test-key'];
  const get = (path: string, headers = key) => exchangeRaw(url, 'GET', `/v1${path}`, headers);
  const lists = async () => {
    for (const query of queries) await get(`/pets${query}`);
  };
  await lists();
  const post = (type: string, body: string) =>
    exchangeRaw(url, 'POST', '/v1/pets', [...key, 'Content-Type', type], body);
  for (const body of bodies) {
    const { body: answered } = await post('application/json', body);
    const [, id] = /"id":(-?\d+)/.exec(String(answered)) ?? [];
    if (id !== undefined) await get(`/pets/${id}`);
  }
  await post('text/plain', '{"name":"Rex","categoryId":1}');
  await lists();
  for (const id of ['1', '01', 'abc', '1.0', '-1', '9223372036854775807', '%31']) await get(`/pets/${id}`);
  await get('/pets', []);
  await get('/pets', ['Authorization', 'bearer test-key']);
  await get('/nothing');
  await exchangeRaw(url, 'HEAD', '/v1/pets?limit=1', key);
  await exchangeRaw(url, 'DELETE', '/v1/pets/1', key);
}

/** The default behaviour, and each other value of a choice. */
const differences: Difference[] = [
  {},
  ...choiceNames.flatMap((name) => listValues(name).map((value) => ({ [name]: value }))),
];

test.for(differences)(
  'a deployment with the behaviour %j breaks no rule for one exchange',
  async (behaviour) => {
    mock.reset();
    mock.configure({ behaviour });
    const proxy = await startTestProxy(mock.url);
    await sendAll(proxy.url);
    const { coverage, violations } = proxy.readFindings();
    // The traffic reached what the rules are about.
    for (const part of [
      'listPets:200',
      'listPets?limit',
      'listPets?status=sold',
      'createPet:201',
      'getPet:200',
    ])
      expect(coverage[part], part).toBeGreaterThan(0);
    const ids = exchangeRules.map(({ id }) => id);
    expect(violations.filter(({ rule }) => ids.includes(rule))).toEqual([]);
  },
);
