import type { Context } from './context.ts';
import { listAnimals } from './lists.ts';
import { Untried } from './verdict.ts';

/** From this day on GET /pets/{petId} may be gone. Source: Versioning */
const REMOVAL = new Date('2030-12-05T00:00:00Z');

/** @throws Untried when the day has come and the operation is gone, which breaks nothing. */
export async function expectNotRemoved(context: Context): Promise<void> {
  if (context.target.now < REMOVAL) return;
  const [animal] = await listAnimals(context, '?limit=1');
  // Without an animal to ask for, nothing tells an operation that is gone from one that finds nothing.
  const { response } = await context.client.send({ path: `/pets/${animal?.id ?? 1}` });
  if (response?.status === 404 || response?.status === 410) {
    throw new Untried('the operation has been removed, as was announced');
  }
}
