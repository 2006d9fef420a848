import type { JsonObject } from '../../common/exact-json.ts';
import { addAnimal, isAddition, listedBeforeAdding } from '../core/add-animal.ts';
import { defineClauses } from '../core/clause.ts';
import type { Context } from '../core/context.ts';
import { inParallel } from '../core/in-parallel.ts';
import { listsSoFar } from '../core/list-animals.ts';
import { readAnimal } from '../core/read-exchange.ts';
import { expectSequences } from './endpoints/expect-sequences.ts';
import { expectAddedFound, expectUnchanged } from './endpoints/expect-unchanged.ts';

/** How many animals from either end of the first lists are fetched again. */
const OTHERS = 5;

/** What holds for all operations together. */
export const endpointsClauses = defineClauses('Endpoints', [
  {
    id: 'store/kept',
    sentence:
      'An added animal keeps its name and its categoryId until the end of the run, whatever is requested.',
    tolerated: [
      {
        open: 'when a status changes',
        answers: 'at any time; what looks wrong for that reason is tried again with another animal',
      },
    ],
    needs: ['writes', 'getPet'],
    observes: true,
    run: async (context) => {
      if (!context.client.journal.some(isAddition)) await addAnimal(context, 'kept');
      await inParallel(context.client.journal.filter(isAddition), async (addition) => {
        const animal = readAnimal(addition);
        if (typeof animal?.id === 'bigint') await expectAddedFound(context, animal);
      });
      await expectOthersUnchanged(context);
    },
  },
  {
    id: 'store/sequences',
    sentence:
      'In any sequence of operations, an added animal stays as it was returned and in the list of its status.',
    tolerated: [{ open: 'what other clients do during a run', answers: 'they may add animals at any time' }],
    needs: ['writes'],
    run: expectSequences,
  },
]);

/** Expects the animals that were listed first to be unchanged, wherever they are returned. They may have been removed. */
async function expectOthersUnchanged(context: Context): Promise<void> {
  const before = listedBeforeAdding(context);
  for (const { animals, exchange } of listsSoFar(context)) {
    for (const animal of animals) {
      const other = typeof animal.id === 'bigint' ? before.get(animal.id) : undefined;
      if (other !== undefined) expectUnchanged(other, animal, exchange);
    }
  }
  const others: readonly JsonObject[] = [...before.values()];
  await inParallel([...new Set([...others.slice(0, OTHERS), ...others.slice(-OTHERS)])], async (animal) => {
    const exchange = await context.client.send({ path: `/pets/${animal.id}` });
    const pet = readAnimal(exchange);
    if (pet !== undefined && pet.id === animal.id) expectUnchanged(animal, pet, exchange);
  });
}
