import type { JsonObject } from '../../common/json/exact-json.ts';
import { createAnimals, createStoreAnswer } from './conforming/store-behaviour.ts';
import type { Answer, AskMock, CreateAnswer } from './deployment.ts';
import { type DeployedReply, type DeployedRequest, isList } from './messages.ts';
import { animalOf, createError, createReply } from './replies.ts';

/** Creates an answer in front of a store. @param readRows returns all animals of the store */
export type CreateStoredAnswer = (readRows: () => readonly JsonObject[]) => Answer;

const refuse: AskMock = async () => createError(404);

const DEFAULT_LIMIT = '20';

/** Returns the limit of a list. */
export function limitOf({ query }: DeployedRequest): number {
  return Number(query.get('limit') ?? DEFAULT_LIMIT);
}

/** Puts an answer in front of a store. @param animals those at the start. @default 60 */
export function inFrontOfStore(
  createAnswer: CreateStoredAnswer,
  animals: readonly JsonObject[] = createAnimals(60),
): CreateAnswer {
  return () => {
    const rows = [...animals];
    const store = createStoreAnswer({ animals });
    const asStore: AskMock = async (request) => {
      const reply = (await store(request, refuse)) as DeployedReply;
      if (reply.status === 201) rows.push(animalOf(reply));
      return reply;
    };
    const answer = createAnswer(() => rows);
    return (request) => answer(request, asStore);
  };
}

/**
 * Takes lists from other rows than those of the store. The limit and the status of a list are applied to these.
 * @param choose returns the rows for a list by a status, or for one without
 */
export function listFrom(
  choose: (rows: readonly JsonObject[], status: string | null) => readonly JsonObject[],
): CreateStoredAnswer {
  return (readRows) => async (request, asStore) => {
    const reply = await asStore(request);
    if (!isList(request) || reply.status !== 200) return reply;
    const status = request.query.get('status');
    const chosen = choose(readRows(), status);
    const wanted = status === null ? chosen : chosen.filter((animal) => animal.status === status);
    return createReply(200, wanted.slice(0, limitOf(request)));
  };
}
