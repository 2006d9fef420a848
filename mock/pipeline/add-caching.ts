import type { Reply } from '../../common/http/reply.ts';
import type { Context } from './context.ts';

/** The choice that decides how long the responses of an operation may be kept. */
const choiceOf = { listPets: 'listCaching', getPet: 'getCaching' } as const;

/** Adds Cache-Control to the 200 of an operation that reads, as the behaviour requires. Source: RFC 9111 section 5.2 */
export function addCaching({ operation, session }: Context, reply: Reply): Reply {
  if ((operation !== 'listPets' && operation !== 'getPet') || reply.status !== 200) return reply;
  const name = choiceOf[operation];
  const value = session.behaviour[name];
  if (value === 'absent') return reply;
  session.noteActed(name);
  return { ...reply, headers: { ...reply.headers, 'Cache-Control': value } };
}
