import { randomInt } from 'node:crypto';
import {
  addAnimal,
  createNewPet,
  findCategory,
  idOf,
  isAddition,
  newStatuses,
  ownAdditions,
  postAnimal,
} from './add-animal.ts';
import type { Context } from './context.ts';
import { type Exchange, readAnimal, readSent } from './exchange.ts';
import { isRemoved } from './get-pet-removal.ts';
import { isFiltered, listAnimals, listsSoFar } from './list-animals.ts';
import { expectFields } from './result.ts';

/** How an animal was added, or refused, and how it was found by its id right after. */
export interface Addition {
  readonly status: string | undefined;
  readonly posted: Exchange;
  /** Undefined when it was refused, has no id, or GET /pets/{petId} is removed. */
  readonly fetched: Exchange | undefined;
}

/** Adds an animal of each status and one of none, once in a run: they show what several clauses ask for. */
export function addOfEachStatus(context: Context): Promise<readonly Addition[]> {
  return context.once(addAll);
}

async function addAll(context: Context): Promise<readonly Addition[]> {
  const [first, ...others] = newStatuses;
  const additions = [await learnNames(context, first)];
  for (const status of others) additions.push(await addFetched(context, status));
  return additions;
}

/** Adds an animal with a status, and fetches it. All have one category and one kind of name, so that nothing but the status can be refused. */
export async function addFetched(context: Context, status: string | undefined): Promise<Addition> {
  const categoryId = await findCategory(context);
  const pet = await createNewPet(context, 'with or without', { status, categoryId });
  const posted = await postAnimal(context, pet);
  const id = isAddition(posted) ? idOf(posted) : undefined;
  if (id === undefined || (await isRemoved(context))) return { status, posted, fetched: undefined };
  const fetched = await context.client.send({ path: `/pets/${id}` });
  // Perhaps the next animal's: a 404 now must not be cached.
  await context.client.send({ path: `/pets/${BigInt.asIntN(64, id + 1n)}` });
  return { status, posted, fetched };
}

/**
 * Adds an animal, and finds names that are accepted where the usual ones are not: shorter ones, letters alone, or such as a
 * listed animal has.
 */
async function learnNames(context: Context, status: string): Promise<Addition> {
  const usual = await addFetched(context, status);
  if (!isRefused(usual.posted)) return usual;
  const [listed] = await listAnimals(context, '?limit=1').catch(() => []);
  const categoryId = await findCategory(context);
  const examples = ['contract-test', 'Rexabcde', 'rexabcde', String(listed?.name ?? '')];
  for (const example of examples.filter(hasManyForms)) {
    const exchange = await postAnimal(context, { name: toSimilarName(example), categoryId, status });
    if (!isAddition(exchange)) continue;
    context.useNames(() => toSimilarName(example));
    return addFetched(context, status);
  }
  return usual;
}

/** Whether an animal was refused, perhaps for its name. */
function isRefused({ response }: Exchange): boolean {
  return response?.status === 400 || response?.status === 409 || response?.status === 422;
}

/** Whether there are so many names of a form that no two made-up ones are the same, nor that of another animal. */
function hasManyForms(name: string): boolean {
  return name.replaceAll(/[^a-zA-Z0-9]/g, '').length >= 4;
}

/** A name of the same form, with random letters and digits. */
function toSimilarName(name: string): string {
  const other = (first: string, count: number) => () =>
    String.fromCharCode(first.charCodeAt(0) + randomInt(count));
  return name
    .replaceAll(/[a-z]/g, other('a', 26))
    .replaceAll(/[A-Z]/g, other('A', 26))
    .replaceAll(/\d/g, other('0', 10));
}

/**
 * Finds the fields that lists alter, with a failure for each: GET /pets/{petId} returns an added animal as it was sent, and
 * a list does not.
 */
export function findAltered(context: Context): ReadonlyMap<string, unknown> {
  const replies = context.client.journal.filter(({ request }) => request.path.startsWith('/pets/'));
  const fetched = new Map(replies.map(readAnimal).map((animal) => [animal?.id, animal]));
  const altered = new Map<string, unknown>();
  // Lists by status first: another failure may show the list of all, and two defects must not share a list.
  const lists = listsSoFar(context).toSorted(
    (one, other) => Number(isFiltered(other)) - Number(isFiltered(one)),
  );
  const own = ownAdditions(context);
  for (const { animals, exchange } of lists) {
    for (const actual of animals) {
      const addition = own.get(actual.id as bigint);
      const sent = addition === undefined ? {} : readSent(addition.request);
      for (const field of ['name', 'categoryId'].filter((name) => sent[name] !== undefined)) {
        if (fetched.get(actual.id)?.[field] !== sent[field] || altered.has(field)) continue;
        const from = { ...sent, id: actual.id ?? null };
        try {
          expectFields(exchange, { from, actual, where: ' in the list' }, [field]);
        } catch (error) {
          altered.set(field, error);
        }
      }
    }
  }
  return altered;
}

/** The ids of two animals of this run; it adds what is lacking. */
export async function findTwoAdded(context: Context): Promise<readonly [unknown, unknown]> {
  const added = context.client.journal.filter(isAddition).map((exchange) => readAnimal(exchange)?.id);
  while (added.length < 2) added.push((await addAnimal(context, 'one of two')).id);
  return [added.at(-2), added.at(-1)];
}
