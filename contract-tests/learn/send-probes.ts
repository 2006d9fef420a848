import { printExactJson } from '../../common/json/exact-json.ts';
import { FinishedRun } from '../../common/learn/finished-run.ts';
import { FURTHER_PAGES, LONGEST, WITH_SLASH } from '../../common/learn/lists.ts';
import { chooseLimit, observeNameBounds } from '../../common/learn/name-bounds.ts';
import { UNKNOWN_PATH } from '../../common/learn/name-kind.ts';
import type { Exchange } from '../client/exchange.ts';
import { Context, type Run } from '../vocabulary/context.ts';

/** Each parameter twice. A run that only reads repeats just one of them. */
const REPEATED = ['/pets?limit=1&limit=2', '/pets?limit=100&status=sold&status=pending'];

/**
 * Sends the requests that show choices which no clause is about: at most nine GETs after all clauses, a HEAD and an OPTIONS, and two
 * POSTs if the run may write, or three if the deployment has refused a name for its length. It never rejects, because a choice whose
 * request fails is unknown.
 */
export async function sendProbes(run: Run): Promise<void> {
  const context = new Context(run);
  await context.get(UNKNOWN_PATH).catch(() => {});
  await context.send({ path: UNKNOWN_PATH, authorization: undefined }).catch(() => {});
  await context.get(WITH_SLASH).catch(() => {});
  await context.send({ method: 'HEAD', path: '/pets' }).catch(() => {});
  // No preflight, so that services without a handler of their own answer 405.
  await context.send({ method: 'OPTIONS', path: '/pets' }).catch(() => {});
  await getAgain(context).catch(() => {});
  for (const limit of limits) await context.getKnown(`/pets?limit=${limit}`).catch(() => {});
  for (const path of REPEATED) await context.getKnown(path).catch(() => {});
  // The animals that the run has added are in no earlier list.
  if (run.target.allowsWrites) await context.get(`/pets${LONGEST}`).catch(() => {});
  await context.get(FURTHER_PAGES).catch(() => {});
  if (!run.target.allowsWrites) return;
  await postFurtherMember(context).catch(() => {});
  await postTwice(context).catch(() => {});
  await postLongName(context).catch(() => {});
}

/** Limits that are no integer. The clauses send some, chosen by chance. */
const limits = ['abc', '2.5', '02', ''];

/** Requests an animal, or else a list, again with the ETag of its last response, if it had one. */
async function getAgain(context: Context): Promise<void> {
  const isRead = (one: Exchange) => one.isList || one.requestedId !== undefined;
  const tagged = context.journal.filter(
    (one) =>
      isRead(one) &&
      one.request.method === 'GET' &&
      one.status === 200 &&
      one.response?.headers.etag !== undefined,
  );
  const last = tagged.findLast(({ requestedId }) => requestedId !== undefined) ?? tagged.at(-1);
  const tag = last?.response?.headers.etag;
  if (last === undefined || tag === undefined) return;
  await context.send({ path: last.path, headers: { 'If-None-Match': tag } });
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

/** Adds an animal whose name is longer, by one letter, than the limit that the deployment is likely to have. */
async function postLongName(context: Context): Promise<void> {
  const run = new FinishedRun(context.journal, context.target);
  const limit = chooseLimit(observeNameBounds(run));
  const pet = await context.createPet('long ');
  const name = String(pet.name);
  if (limit === undefined || name.length > limit) return;
  await context.post({ ...pet, name: name.padEnd(limit + 1, 'x') });
}
