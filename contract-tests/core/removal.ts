import type { Context } from './context.ts';
import { listAnimals } from './lists.ts';
import { Skipped } from './result.ts';

/** From this day on, wherever it begins, GET /pets/{petId} may be gone. Source: Versioning */
const REMOVAL = new Date('2030-12-05T00:00:00+14:00');

/** @throws Skipped when the day has come and the operation is gone, which breaks nothing. */
export async function expectNotRemoved(context: Context): Promise<void> {
  if (await isRemoved(context)) throw new Skipped('the operation has been removed, as was announced');
}

/** Whether the day has come and the operation is gone. */
export async function isRemoved(context: Context): Promise<boolean> {
  if (context.target.now < REMOVAL) return false;
  const [animal] = await listAnimals(context, '?limit=1').catch(() => []);
  // Without an animal to ask for, nothing tells an operation that is gone from one that finds nothing.
  const { response } = await context.client.send({ path: `/pets/${animal?.id ?? 1}` });
  return response !== undefined && isGone(response.status);
}

/** What is gone may be answered with whatever is no success: gateways have 403, 405 or 501 for it. */
function isGone(status: number): boolean {
  return (status >= 300 && status < 500 && status !== 401 && status !== 429) || status === 501;
}
