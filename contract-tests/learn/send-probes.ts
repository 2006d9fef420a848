import { printExactJson } from '../../common/json/exact-json.ts';
import { WITH_SLASH } from '../../common/learn/lists.ts';
import { UNKNOWN_PATH } from '../../common/learn/reply-observers.ts';
import { Context, type Run } from '../vocabulary/context.ts';

/**
 * Sends the requests that show choices which no clause is about: three requests that read, and two POSTs if the run may write. It never rejects,
 * because a choice whose request fails is unknown.
 */
export async function sendProbes(run: Run): Promise<void> {
  const context = new Context(run);
  await context.get(UNKNOWN_PATH).catch(() => {});
  await context.get(WITH_SLASH).catch(() => {});
  await context.send({ method: 'HEAD', path: '/pets' }).catch(() => {});
  if (!run.target.allowsWrites) return;
  await postFurtherMember(context).catch(() => {});
  await postTwice(context).catch(() => {});
}

async function postFurtherMember(context: Context): Promise<void> {
  await context.post({ ...(await context.createPet('more')), nickname: 'Rexi' });
}

/** Adds an animal whose body has two names. */
async function postTwice(context: Context): Promise<void> {
  const first = await context.createPet('twice');
  const name = printExactJson(context.nameFor('twice'));
  await context.post(printExactJson(first).replace(/\}$/, `,"name":${name}}`));
}
