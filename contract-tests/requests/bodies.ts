import { printExactJson } from '../../common/json/exact-json.ts';
import { petStatuses } from '../../common/json/pet.ts';
import { invalidAnimals } from '../../fixtures/invalid-animals.ts';
import type { RequestOptions } from '../client/to-request.ts';
import { listsWith } from './lists.ts';
import type { Sender } from './sender.ts';

/** The name and the category in bodies that are to be refused. */
const NAME = '"Rex"';
const CATEGORY = /"categoryId":1(?=[,}])/;

const missing = [
  '{"categoryId":1}',
  ...petStatuses.map((status) => `{"categoryId":1,"status":"${status}"}`),
  ...['{"Name":"Rex","categoryId":1}', '{"__proto__":{"name":"Rex","categoryId":1}}', '{}'],
  '{"name":"Rex"}',
  ...petStatuses.map((status) => `{"name":"Rex","status":"${status}"}`),
  '{"name":"Rex","categoryID":1,"category_id":1}',
  // Some frameworks also read the members of an object in the body.
  ...['pet', 'data'].map((member) => `{"${member}":{"name":"Rex","categoryId":1}}`),
];

const notObjects = ['', 'null', '[]', '[{"name":"Rex","categoryId":1}]', '1', 'true', '0', 'false', '""'];

const malformed = [
  ...['{', '{"name":"Rex","categoryId":1', '{"name":"Rex","categoryId":1}}'],
  ...["{'name':'Rex','categoryId':1}", '{"name":"Rex","categoryId":1,}', '{"name":"Rex","categoryId":1} Rex'],
  '{"name":"Rex","categoryId":1}\n{"name":"Rex","categoryId":1}',
  ...['{"name":"Rex","categoryId":1.}', 'name="Rex"&categoryId=1'],
  ...['{name:"Rex","categoryId":1}', '{"name":"Rex","categoryId":01}', '{"name":"Rex","categoryId":+1}'],
  ...['{"name":"R\nex","categoryId":1}', 'Rex', ' \n '],
];

const further = [
  // Beyond 64 bits too, where the lowest of them are a small category.
  ...['18446744073709551617', '100000000000000000000000000000000000000', '9'.repeat(400)].map(
    (value) => `{"name":"Rex","categoryId":${value}}`,
  ),
  ...[`"${'9'.repeat(25)}"`, '"9007199254740993"', '-0.5', '"0x10"', '[1]', '{"id":1}', '1.0000000001'].map(
    (value) => `{"name":"Rex","categoryId":${value}}`,
  ),
  // Words that other stores have for a status.
  ...[
    'reserved',
    'adopted',
    'archived',
    'unavailable',
    'unknown',
    'draft',
    '0',
    '1',
    'null',
    'vermißtéé',
    '\u017fold',
    'sold,pending',
  ].map((status) => `{"name":"Rex","categoryId":1,"status":"${status}"}`),
  ...[`"${'9'.repeat(25)}"`, '{"value":"sold"}'].map(
    (status) => `{"name":"Rex","categoryId":1,"status":${status}}`,
  ),
  '{"name":null,"categoryId":"1","status":"lost"}',
  // An id is the service's own, and no reason to fail.
  '{"id":"x","name":"Rex","categoryId":"x"}',
  // A reader of numbers may take seconds for it.
  `{"name":"Rex","categoryId":1,"status":${'9'.repeat(5_000)}}`,
];

function listBodies(): readonly string[] {
  const ofOneMember = invalidAnimals.filter(
    ({ fields: [field = '', ...others], why }) => others.length === 0 && why.startsWith(`the ${field}`),
  );
  // Malformed ones first: a service may parse a body before it looks at the right of the key, and only the first get an answer then.
  return [...malformed, ...notObjects, ...missing, ...ofOneMember.map(({ json }) => json), ...further];
}

/** Sends bodies that are to be refused, each with a name by which its animal would be found. */
export async function sendBodies(sender: Sender): Promise<void> {
  const category = sender.category;
  const toRequest = (text: string): RequestOptions => ({
    method: 'POST',
    path: '/pets',
    body: text
      .replace(CATEGORY, `"categoryId":${category}`)
      .replaceAll(NAME, () => printExactJson(sender.nameFor('refused'))),
  });
  const requests = listBodies().map(toRequest);
  const sent = await sender.sendTogether(requests);
  // Of two versions of a service that take turns behind one address, one may accept what the other has refused.
  const refused = requests.filter((_, index) => sent[index]?.status === 400);
  await sender.sendTogether(refused.toReversed().map((request) => ({ ...request, hasOwnConnection: true })));
  await sender.send({
    ...toRequest('{"name":"Rex","categoryId":"x"}'),
    mediaType: 'application/json; charset=utf-8',
  });
  const twice = JSON.stringify(
    `{"name":${printExactJson(sender.nameFor('refused'))},"categoryId":${category}}`,
  );
  await sender.post(twice);
  await sender.sendTogether([
    // Some frameworks take members from the query, too.
    { ...toRequest('{"name":"Rex"}'), path: `/pets?categoryId=${category}` },
    // No body at all, and one of another media type.
    { method: 'POST', path: '/pets' },
    { method: 'POST', path: '/pets', body: '{}', mediaType: 'text/plain' },
    { method: 'POST', path: '/pets', body: '\ufeff{}', form: 'a byte order mark' },
    {
      method: 'POST',
      path: '/pets',
      body: '{"contract-test":"caf\u00e9"}',
      encoding: 'latin1',
      form: 'bytes that are not UTF-8',
    },
  ]);
}

/** Status of the animals that should be refused. */
const TO_FIND_BY = 'pending';

/** Maximum number of ids between two animals that are requested to find what was added between them. */
const MOST_BETWEEN = 30;

/** Sends bodies with one fault each between two valid ones, and requests the ids between these. */
export async function sendRefused(sender: Sender): Promise<void> {
  const { history, category } = sender;
  // Categories that no other animal has, not even one of another run, to find animals without a name by.
  const unusual = 7_000_000_000_000_000_000n + BigInt(Date.now());
  for (const step of [0n, 1n, 2n]) history.marks.categories.add(unusual + step);
  const name = (what: string) => `"name":${printExactJson(sender.nameFor(`refused ${what}`))}`;
  const before = await sender.addAndLook(sender.createPet('before refusals'));
  const bodies = [
    `{${name('without a category')},"status":"${TO_FIND_BY}"}`,
    `{${name('for its category')},"categoryId":"${category}","status":"${TO_FIND_BY}"}`,
    `{${name('for its status')},"categoryId":${category},"status":"lost"}`,
    `[{${name('as an array')},"categoryId":${category},"status":"${TO_FIND_BY}"}]`,
    `{${name('as malformed')},"categoryId":${category},"status":"${TO_FIND_BY}"`,
    `{${name('for its large category')},"categoryId":9223372036854775808,"status":"${TO_FIND_BY}"}`,
    `{"categoryId":${unusual},"status":"${TO_FIND_BY}"}`,
    `{"name":1,"categoryId":${unusual + 1n},"status":"${TO_FIND_BY}"}`,
    `{"name":null,"categoryId":${unusual + 2n},"status":"${TO_FIND_BY}"}`,
  ];
  for (const body of bodies) await sender.post(body);
  const after = await sender.addAndLook(sender.createPet('after refusals'));
  const [first, last] = [before, after].map((added) => added?.addition.shown?.id);
  await sender.sendEach(listsWith(sender, ['100']));
  if (first === undefined || last === undefined || sender.history.isGetPetRemoved) return;
  const count = Number(last - first) - 1;
  if (count <= 0 || count > MOST_BETWEEN) return;
  const between = Array.from({ length: count }, (_, index) => first + 1n + BigInt(index));
  await sender.sendTogether(between.map((id) => ({ path: `/pets/${id}` })));
}
