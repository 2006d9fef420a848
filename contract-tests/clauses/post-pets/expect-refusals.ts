import type fc from 'fast-check';
import { createNewPet, findKnownCategory, isAddition, postAnimal } from '../../core/add-animal.ts';
import type { Context } from '../../core/context.ts';
import { outcomeOf, shorten } from '../../core/exchange.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { expectNoServerFault, Failed, Skipped } from '../../core/result.ts';
import { runProperty } from '../../core/run-property.ts';

/** A deployment may refuse longer bodies for their size, in characters. */
const LARGE_BODY = 200;

/**
 * Expects 400 for each body. A category of 1 in a body becomes one that exists, so that it is not a second fault.
 *
 * @param createMore makes up more bodies with an existing category.
 */
export async function expectRefusals(
  context: Context,
  bodies: readonly string[],
  createMore?: (categoryId: bigint) => fc.Arbitrary<string>,
): Promise<void> {
  const category = await findKnownCategory(context);
  const toBody = (text: string) => text.replace(/"categoryId":1(?=[,}])/, `"categoryId":${category ?? 1n}`);
  const expectOne = (body: string) => expectRefusal(context, body, category);
  await inParallel(bodies.map(toBody), expectOne);
  if (createMore !== undefined) await runProperty(context.target, createMore(category ?? 1n), expectOne);
}

async function expectRefusal(context: Context, body: string, category: bigint | undefined): Promise<void> {
  const exchange = await context.client.send({ method: 'POST', path: '/pets', body });
  expectNoServerFault(exchange);
  const isPerhapsUnknown = category === undefined && /"categoryId":1[,}]/.test(body);
  const status = exchange.response?.status ?? 0;
  if (isPerhapsUnknown && status !== 401 && status > 400 && status < 500) {
    throw new Skipped('the category may be unknown: name an existing one (--category-id)');
  }
  if (status === 400 || (status === 413 && body.length > LARGE_BODY)) return;
  if (status === 403 && !(await canAdd(context))) {
    throw new Skipped('every animal is refused with 403: may the key add animals (--read-only)?');
  }
  throw new Failed(`400 for ${shorten(body) || 'an empty body'}`, outcomeOf(exchange), exchange);
}

async function canAdd(context: Context): Promise<boolean> {
  if (context.client.journal.some(isAddition)) return true;
  const exchange = await postAnimal(context, await createNewPet(context, 'allowed'));
  return exchange.response?.status !== 403;
}
