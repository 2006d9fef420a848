import type { Context } from './context.ts';
import { listAnimals } from './list-animals.ts';

/** From this day on, wherever it begins first, GET /pets/{petId} may be removed. Source: Versioning */
export const REMOVAL = new Date('2030-12-05T00:00:00+14:00');

/** Whether the day has come and the operation is removed. */
export async function isRemoved(context: Context): Promise<boolean> {
  if (context.target.now < REMOVAL) return false;
  const [animal] = await listAnimals(context, '?limit=1').catch(() => []);
  // Without an existing animal, a removed operation looks like an unknown id.
  const { response } = await context.client.send({ path: `/pets/${animal?.id ?? 1}` });
  return response !== undefined && isGone(response.status);
}

/** Gateways answer a removed operation with 403, 405 or 501 too. */
function isGone(status: number): boolean {
  return (status >= 300 && status < 500 && status !== 401 && status !== 429) || status === 501;
}
