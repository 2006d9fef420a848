import type { JsonObject } from '../../../common/json/exact-json.ts';
import type { Exchange } from '../../client/exchange.ts';
import { expectFields, NotApplicable, NotTested, trySome, wrongStatus } from '../../client/result.ts';
import { type Addition, addOfEachStatus, ownAdditions, tryWithNew } from '../../model/additions.ts';
import { type Context, statuses } from '../../model/context.ts';
import { listedBeforeAdding } from '../../model/lists.ts';
import { addUnusual, makeUpCategories } from './add-unusual.ts';

/** Expects every added animal to be returned as it was sent; unusual names and categories are left to other clauses. */
export async function expectEcho(context: Context): Promise<void> {
  const plain = (await addOfEachStatus(context)).map(({ posted }) => posted);
  const category = await context.findCategory();
  const findFields = (exchange: Exchange): readonly string[] => {
    if (plain.includes(exchange)) return ['name', 'categoryId', 'status'];
    const { name, categoryId, status } = exchange.sent;
    const isPlainName = context.isOurName(name) && /^[\w.-][\w .-]{0,98}[\w.-]$/.test(String(name));
    // The names of two animals that are added at once are left to create-pet/unique-id.
    const isMixedUp = context.isOurName(exchange.animal?.name);
    const isPlainCategory =
      categoryId === category && !/"categoryId"\s*:\s*-?\d+[.eE]/.test(`${exchange.request.body}`);
    return [
      ...(isPlainName && !isMixedUp ? ['name'] : []),
      ...(isPlainCategory ? ['categoryId'] : []),
      ...(statuses.some((one) => one === status) ? ['status'] : []),
    ];
  };
  const returned = context.additions.filter((exchange) => {
    const { name, categoryId } = exchange.sent;
    if (typeof name !== 'string' || typeof categoryId !== 'bigint') return false;
    return expectEchoed(exchange, findFields(exchange)) !== undefined;
  });
  if (returned.length === 0) throw new NotTested(noneAccepted('animal'));
  context.decide(returned.length);
}

/** Expects each status to be accepted and kept, where the same animal without a status is accepted. */
export async function expectStatuses(context: Context): Promise<void> {
  const additions = await addOfEachStatus(context);
  context.decide(additions.length);
  const isPlainAccepted = additions.some(({ status, posted }) => status === undefined && posted.isAddition);
  const check = async (addition: Addition) => {
    const { status, posted } = addition;
    if (status === undefined) return false;
    const isRefused = [400, 422].includes(posted.status);
    if (isRefused && isPlainAccepted) throw wrongStatus(`201 for the status ${status}`, posted);
    return expectKept(context, addition, 'status');
  };
  const reason = noneAccepted('animal with a status');
  await trySome(additions, reason, (addition) => tryWithNew(context, addition, check), NotTested);
}

export async function expectUnusualKept(context: Context, field: 'name' | 'categoryId'): Promise<void> {
  const additions = (await addUnusual(context)).filter(({ fields }) => fields.includes(field));
  context.decide(additions.length);
  const reason = noneAccepted(`such ${field}`);
  await trySome(additions, reason, (addition) => expectKept(context, addition, field));
}

/**
 * Expects every categoryId of a kind to be accepted, if a positive one is that no animal is likely to have: a service that
 * knows its categories would refuse it.
 */
export async function expectAnyCategory(
  context: Context,
  isMeant: (categoryId: bigint) => boolean,
): Promise<void> {
  const additions = (await addUnusual(context)).filter(({ categoryId }) => categoryId !== undefined);
  const animals = [...listedBeforeAdding(context).values()];
  const known = new Set(animals.map(({ categoryId = null }) => categoryId));
  const accepted = additions.filter(
    ({ posted, categoryId = 0n }) => posted.isAddition && categoryId > 0n && !known.has(categoryId),
  );
  const madeUp = makeUpCategories(context);
  const ordinary = additions.filter(({ categoryId = 0n }) => madeUp.includes(categoryId));
  const isAnyOrdinary = ordinary.length > 0 && ordinary.every((addition) => accepted.includes(addition));
  // No list of known categories has one beyond 32 bits by chance.
  const isHuge = (categoryId: bigint) => BigInt.asIntN(32, categoryId) !== categoryId;
  const proof = isAnyOrdinary ? ordinary : accepted.filter(({ categoryId = 0n }) => isHuge(categoryId));
  if (proof.length === 0) throw new NotApplicable('it seems to know its categories: it refuses made-up ones');
  if (!(await areNamesTaken(context, proof[0]?.categoryId)))
    throw new NotTested('no animal of an ordinary name and category was accepted');
  const taken = proof.map(({ categoryId }) => categoryId).join(' and ');
  const meant = additions.filter(({ categoryId = 0n }) => isMeant(categoryId));
  for (const { categoryId, posted } of meant) {
    if (![400, 404, 409, 422].includes(posted.status)) continue;
    const expected = `201 for the categoryId ${categoryId}, as for ${taken}`;
    throw wrongStatus(expected, posted, { before: proof.map((one) => one.posted) });
  }
  context.decide(meant.length);
}

async function areNamesTaken(context: Context, categoryId = 1n): Promise<boolean> {
  const additions = await addOfEachStatus(context);
  if (additions.some(({ posted }) => posted.isAddition)) return true;
  return (await context.post({ name: context.nameFor('int64'), categoryId })).isAddition;
}

/** A deployment may refuse names and categories for its own reasons. */
function noneAccepted(what: string): string {
  return `no ${what} was accepted, which may be conforming`;
}

/** Expects an animal, if it was accepted, to be returned as it was sent. @returns undefined when it was refused */
function expectEchoed(exchange: Exchange, fields: readonly string[]): JsonObject | undefined {
  const { isAddition, animal, sent } = exchange;
  if (!isAddition || animal === undefined) return undefined;
  const given = fields.filter((field) => sent[field] !== undefined);
  expectFields(exchange, [sent, animal], given, '', []);
  return animal;
}

/** Expects an animal, if it was accepted, to be returned and kept as it was sent. @returns whether it was accepted */
async function expectKept(context: Context, { posted, fetched }: Addition, field: string): Promise<boolean> {
  const pet = expectEchoed(posted, [field]);
  if (typeof pet?.id !== 'bigint' || !ownAdditions(context).has(pet.id)) return pet !== undefined;
  const { sent } = posted;
  // Wrong and unknown ids are left to get-pet/*, and other animals to create-pet/unique-id.
  const isOther = fetched?.animal?.id !== pet.id || (field !== 'name' && fetched.animal.name !== sent.name);
  if (fetched?.animal !== undefined && !isOther && sent[field] !== undefined)
    expectFields(fetched, [sent, fetched.animal], [field], ' by its id');
  return true;
}
