import type { JsonObject } from '../../../common/exact-json.ts';
import {
  findCategory,
  isAddition,
  listedBeforeAdding,
  ownAdditions,
  postAnimal,
} from '../../core/add-animal.ts';
import { type Context, statuses } from '../../core/context.ts';
import { type Exchange, outcomeOf, readAnimal, readSent } from '../../core/exchange.ts';
import { expectFields, Failed, Skipped, trySome, Unproven } from '../../core/result.ts';
import { type Addition, addFetched, addOfEachStatus } from '../../core/shared-animals.ts';
import { tryAgain } from '../../core/try-again.ts';
import { addUnusual, makeUpCategories } from './add-unusual.ts';

/** Expects every added animal to be returned as it was sent; unusual names and categories are left to other clauses. */
export async function expectEcho(context: Context): Promise<void> {
  const plain = (await addOfEachStatus(context)).map(({ posted }) => posted);
  const category = await findCategory(context);
  const returned = context.client.journal.filter((exchange) => {
    if (plain.includes(exchange))
      return expectEchoed(exchange, ['name', 'categoryId', 'status']) !== undefined;
    const { name, categoryId, status } = readSent(exchange.request);
    if (typeof name !== 'string' || typeof categoryId !== 'bigint') return false;
    const isPlainName = context.isOurName(name) && /^[\w.-][\w .-]{0,98}[\w.-]$/.test(name);
    // The names of two animals that are added at once are left to create-pet/unique-id.
    const isMixedUp = context.isOurName(String(readAnimal(exchange)?.name));
    const isPlainCategory =
      categoryId === category && !/"categoryId"\s*:\s*-?\d+[.eE]/.test(`${exchange.request.body}`);
    return (
      expectEchoed(exchange, [
        ...(isPlainName && !isMixedUp ? ['name'] : []),
        ...(isPlainCategory ? ['categoryId'] : []),
        ...(statuses.some((one) => one === status) ? ['status'] : []),
      ]) !== undefined
    );
  });
  if (returned.length === 0) throw new Unproven(noneAccepted('animal'));
  context.decide(returned.length);
}

/** Expects each status to be accepted and kept, where the same animal without a status is accepted. */
export async function expectStatuses(context: Context): Promise<void> {
  const additions = await addOfEachStatus(context);
  const isPlainAccepted = additions.some(({ status, posted }) => status === undefined && isAddition(posted));
  await judgeAdditions(context, noneAccepted('animal with a status'), async (addition) => {
    const { status, posted } = addition;
    if (status === undefined) return false;
    const isRefused = posted.response?.status === 400 || posted.response?.status === 422;
    if (isRefused && isPlainAccepted) {
      throw new Failed(`201 for the status ${status}`, outcomeOf(posted), posted);
    }
    return expectKept(context, addition, ['status']);
  });
}

/** Judges the animals of each status; where others may have changed one, another like it. */
async function judgeAdditions(
  context: Context,
  reason: string,
  judge: (addition: Addition) => Promise<boolean>,
): Promise<void> {
  const additions = await addOfEachStatus(context);
  context.decide(additions.length);
  const judgeOne = async (addition: Addition) => {
    let current: Addition | undefined = addition;
    return tryAgain(context, async () => {
      const judged = current ?? (await addFetched(context, addition.status));
      current = undefined;
      return judge(judged);
    });
  };
  await trySome(additions, reason, judgeOne, Unproven);
}

/** Expects the names that are accepted to be kept, however their JSON is written. */
export async function expectNames(context: Context): Promise<void> {
  await judgeUnusual(context, 'name', noneAccepted('such name'));
}

/** Expects the categories that are accepted to be kept, in whatever notation their integers are. */
export async function expectInt64s(context: Context): Promise<void> {
  await judgeUnusual(context, 'categoryId', noneAccepted('such categoryId'));
}

async function judgeUnusual(context: Context, field: 'name' | 'categoryId', reason: string): Promise<void> {
  const additions = (await addUnusual(context)).filter((addition) => addition.tells.includes(field));
  context.decide(additions.length);
  await trySome(additions, reason, (addition) => expectKept(context, addition, [field]));
}

/**
 * Expects every positive int64, or every other one, to be accepted as a categoryId where positive ones are that no animal is
 * likely to have: a service that knows its categories would refuse all of those.
 */
export async function expectAnyCategory(
  context: Context,
  isMeant: (categoryId: bigint) => boolean,
): Promise<void> {
  const additions = (await addUnusual(context)).filter(({ categoryId }) => categoryId !== undefined);
  const animals = [...listedBeforeAdding(context).values()];
  const known = new Set(animals.map(({ categoryId = null }) => categoryId));
  const accepted = additions.filter(
    ({ posted, categoryId = 0n }) => isAddition(posted) && categoryId > 0n && !known.has(categoryId),
  );
  const madeUp = makeUpCategories(context);
  const ordinary = additions.filter(({ categoryId = 0n }) => madeUp.includes(categoryId));
  const isAnyOrdinary = ordinary.length > 0 && ordinary.every((addition) => accepted.includes(addition));
  const proof = isAnyOrdinary ? ordinary : accepted.filter(({ categoryId = 0n }) => isHuge(categoryId));
  if (proof.length === 0)
    throw new Skipped('it seems to know its categories: it refuses those that were made up');
  if (!(await areNamesTaken(context, proof[0]?.categoryId))) {
    throw new Unproven('no animal of an ordinary name and category was accepted');
  }
  const taken = proof.map(({ categoryId }) => categoryId).join(' and ');
  const meant = additions.filter(({ categoryId = 0n }) => isMeant(categoryId));
  for (const { categoryId, posted } of meant) {
    if (!isRefusal(posted)) continue;
    const expected = `201 for the categoryId ${categoryId}, as for ${taken}`;
    throw new Failed(expected, outcomeOf(posted), posted, { before: proof.map((one) => one.posted) });
  }
  context.decide(meant.length);
}

/** Whether ordinary names are accepted, at least with a category that is: else a refusal may be for the name. */
async function areNamesTaken(context: Context, categoryId: bigint | undefined): Promise<boolean> {
  const additions = await addOfEachStatus(context);
  if (additions.some(({ posted }) => isAddition(posted))) return true;
  return isAddition(
    await postAnimal(context, { name: context.nameFor('int64'), categoryId: categoryId ?? 1n }),
  );
}

/** Whether a category is beyond 32 bits: no list of known categories has one by chance. */
function isHuge(categoryId: bigint): boolean {
  return BigInt.asIntN(32, categoryId) !== categoryId;
}

/** Whether a body was refused for what it is. */
function isRefusal({ response }: Exchange): boolean {
  return [400, 404, 409, 422].some((status) => status === response?.status);
}

/** A deployment may refuse names and categories for reasons of its own. */
function noneAccepted(what: string): string {
  return `no ${what} was accepted, which may be conforming`;
}

/** Expects an animal, if it was accepted, to be returned as it was sent. @returns undefined when it was refused. */
function expectEchoed(exchange: Exchange, fields: readonly string[]): JsonObject | undefined {
  const actual = isAddition(exchange) ? readAnimal(exchange) : undefined;
  if (actual === undefined) return undefined;
  const from = readSent(exchange.request);
  const sent = fields.filter((field) => from[field] !== undefined);
  expectFields(exchange, { from, actual, mayChange: [] }, sent);
  return actual;
}

/** Expects an animal, if it was accepted, to be returned and kept as it was sent. @returns whether it was accepted. */
async function expectKept(
  context: Context,
  { posted, fetched }: Pick<Addition, 'posted' | 'fetched'>,
  fields: readonly string[],
): Promise<boolean> {
  const pet = expectEchoed(posted, fields);
  if (typeof pet?.id !== 'bigint' || !ownAdditions(context).has(pet.id)) return pet !== undefined;
  const actual = fetched && readAnimal(fetched);
  const from = readSent(posted.request);
  // Wrong and unknown ids are left to get-pet/*, and other animals to create-pet/unique-id.
  if (actual?.id !== pet.id || (!fields.includes('name') && actual.name !== from.name)) return true;
  const sent = fields.filter((field) => from[field] !== undefined);
  expectFields(fetched as Exchange, { from, actual, where: ' by its id' }, sent);
  return true;
}
