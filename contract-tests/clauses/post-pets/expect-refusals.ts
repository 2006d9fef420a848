import fc from 'fast-check';
import { type JsonObject, printExactJson } from '../../../common/json/exact-json.ts';
import { petStatuses } from '../../../common/json/pet.ts';
import { Failed, NotApplicable, NotTested } from '../../client/clause-errors.ts';
import type { RequestOptions } from '../../client/client.ts';
import type { Exchange } from '../../client/exchange.ts';
import { inParallel } from '../../client/in-parallel.ts';
import { CASES, SEED } from '../../client/run-limits.ts';
import { showValue } from '../../client/show-value.ts';
import type { Context } from '../../vocabulary/context.ts';
import { expectEach } from '../../vocabulary/expect-each.ts';
import { acceptedKey, expectAnswer, wrongStatus } from '../../vocabulary/expectations.ts';
import { longestByStatus } from '../../vocabulary/list-parameters.ts';
import { isComplete } from '../../vocabulary/lists.ts';

/** A deployment may refuse longer bodies for their size, in characters. */
const LARGE_BODY = 200;

/** A category of 1 becomes one that exists: it is no second fault. */
export async function expectRefusals(context: Context, bodies: string[], more?: fc.Arbitrary<string>) {
  const category = await context.findKnownCategory();
  const toBody = (text: string) => text.replace(/"categoryId":1(?=[,}])/, `"categoryId":${category ?? 1n}`);
  const expectOne = (body: string) => expectRefusal(context, body, category);
  await expectEach(bodies.map(toBody), expectOne);
  if (more === undefined) return;
  // Each case is a request: shrinking must not take minutes.
  const options = { seed: SEED, numRuns: CASES, interruptAfterTimeLimit: 20_000 };
  const { errorInstance } = await fc.check(fc.asyncProperty(more, expectOne), options);
  if (errorInstance) throw errorInstance;
}

async function expectRefusal(context: Context, body: string, category: bigint | undefined): Promise<void> {
  const exchange = await context.post(body);
  const isPerhapsUnknown = category === undefined && /"categoryId":1[,}]/.test(body);
  const { status } = exchange;
  if (isPerhapsUnknown && status !== 401 && status > 400 && status < 500)
    throw new NotTested('the category may be unknown. Give an existing one with --category-id.');
  const isMet = status === 400 || (status === 413 && body.length > LARGE_BODY);
  expectAnswer(context, exchange, 400, isMet, { what: 'body', body: exchange.shorten(body) });
}

/** Bodies that a reader of text may fail at. They are no NewPet, so that nothing is added if they are read. */
const unreadable = [
  { form: 'a byte order mark', body: '\ufeff{}' },
  { form: 'bytes that are not UTF-8', body: '{"name":"caf\u00e9"}', encoding: 'latin1' },
] as const;

/** Expects no 5xx for bodies that are not plain text in UTF-8. */
export async function expectReadable(context: Context): Promise<void> {
  for (const { form, body, ...options } of unreadable) {
    const exchange = await context.post(body, options);
    context.compare(exchange);
    if (exchange.status >= 400 && exchange.status < 500) continue;
    throw wrongStatus('4xx', exchange, {}, { what: 'form', form });
  }
}

/** Maximum number of ids between two animals that are requested to find what was added between them. */
const MOST_BETWEEN = 20;

/** Status of the animals that should be refused. The run adds fewer of these, so that the longer list of the others shows no limit. */
const TO_FIND_BY = 'pending';

/** Expects a body that gets 400 to add no animal. Each has one fault, and something to find its animal by. */
export async function expectNothingAdded(context: Context): Promise<void> {
  const categoryId = await context.findCategory();
  // Categories that no other animal has, not even one of another run, to find animals without a name by.
  const unusual = 7_000_000_000_000_000_000n + BigInt(Date.now());
  const name = (what: string) => `"name":"${context.nameFor(`refused ${what}`)}"`;
  const bodies = [
    `{${name('without a category')},"status":"${TO_FIND_BY}"}`,
    `{${name('for its category')},"categoryId":"${categoryId}","status":"${TO_FIND_BY}"}`,
    `{${name('for its status')},"categoryId":${categoryId},"status":"lost"}`,
    `[{${name('as an array')},"categoryId":${categoryId},"status":"${TO_FIND_BY}"}]`,
    `{${name('as malformed')},"categoryId":${categoryId},"status":"${TO_FIND_BY}"`,
    `{${name('for its large category')},"categoryId":9223372036854775808,"status":"${TO_FIND_BY}"}`,
    `{"categoryId":${unusual},"status":"${TO_FIND_BY}"}`,
    `{"name":1,"categoryId":${unusual + 1n},"status":"${TO_FIND_BY}"}`,
    `{"name":null,"categoryId":${unusual + 2n},"status":"${TO_FIND_BY}"}`,
  ].map((body) => ({ body }));
  await expectNoAnimals(context, bodies);
}

export async function expectNoneWithoutKey(context: Context): Promise<void> {
  const keys = [undefined, `Bearer ${context.target.otherKey}`];
  const requests = await Promise.all(
    keys.map(async (authorization) => {
      const pet = await context.createPet('without the right key', TO_FIND_BY);
      return { body: printExactJson(pet), authorization };
    }),
  );
  await expectNoAnimals(context, requests);
}

type Creation = Pick<RequestOptions, 'authorization'> & { readonly body: string };

async function expectNoAnimals(context: Context, requests: readonly Creation[]): Promise<void> {
  const last = context.additions.at(-1);
  const addOne = (purpose: string) => context.addAnimal(purpose).catch(() => undefined);
  const before = last ? last.animal : await addOne('before refusals');
  const refused: Exchange[] = [];
  for (const { body, ...options } of requests) {
    const exchange = await context.post(body, options);
    if (exchange.status !== 400 && !('authorization' in options)) continue;
    if (exchange.isAddition) throw acceptedKey(exchange, context.target);
    refused.push(exchange);
  }
  if (refused.length === 0) throw new NotTested('POST /pets refused none of the requests');
  const after = before && (await addOne('after refusals'));
  const findRefused = (animal: JsonObject) => refused.find((exchange) => isOf(animal, exchange, context));
  const between = await fetchBetween(context, before?.id, after?.id);
  const all = await context.listAnimals();
  const byStatus = await inParallel(longestByStatus, (query) => context.fetchList(query));
  const own = byStatus[petStatuses.indexOf(TO_FIND_BY)];
  for (const list of byStatus) context.compare(list, list.animals);
  const listed = [...all, ...byStatus.flatMap(({ animals }) => animals)];
  const added = [...(between ?? []), ...listed].find(findRefused);
  const shown = added && findRefused(added);
  if (shown !== undefined)
    throw new Failed({ kind: 'added', id: showValue(added?.id), name: showValue(added?.name) }, shown);
  if (between === undefined && (own === undefined || !isComplete(context, own)))
    throw new NotApplicable('no list is conclusive: each may lack animals');
}

function isOf({ name, categoryId }: JsonObject, { request, sent }: Exchange, context: Context): boolean {
  if (context.isOurName(name) && request.body?.includes(`"${name}"`)) return true;
  return typeof sent.name !== 'string' && typeof categoryId === 'bigint' && sent.categoryId === categoryId;
}

async function fetchBetween(context: Context, first: unknown, last: unknown) {
  if (typeof first !== 'bigint' || typeof last !== 'bigint') return undefined;
  const count = Number(last - first) - 1;
  if (count < 0 || count > MOST_BETWEEN) return undefined;
  const ids = Array.from({ length: count }, (_, index) => first + 1n + BigInt(index));
  const exchanges = await inParallel(ids, (id) => context.get(`/pets/${id}`));
  return exchanges.map(({ animal }) => animal).filter((animal) => animal !== undefined);
}
