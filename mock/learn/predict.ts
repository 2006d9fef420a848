import type { Reply } from '../../common/http/reply.ts';
import type { Difference } from '../choices/choices.ts';
import { hooksOf } from '../choices/choices.ts';
import { serviceContract } from '../contract.ts';
import { answer, methodsAt } from '../service/answer.ts';
import { type Contents, PetStore } from '../service/pet-store.ts';
import { printAnswer } from '../service/print-answer.ts';

/** A request of which only the reply matters. */
export interface Asked {
  readonly method: string;
  /** Path and query under the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly at: number;
}

/** A mock that has answered nothing yet. */
export interface World {
  readonly behaviour: Difference;
  readonly animals: Contents;
  readonly apiKeys: readonly string[];
}

/** Returns what the mock with a behaviour and some animals answers to a request. */
export function predict({ at, ...asked }: Asked, { behaviour, animals, apiKeys }: World): Reply {
  const [path = '', query = ''] = `/v1${asked.path}`.split(/\?(.*)/s);
  const ask = {
    ...asked,
    path,
    operation: methodsAt(path)?.[asked.method],
    query: new URLSearchParams(query),
    search: query && `?${query}`,
    basePath: '/v1',
    marks: {},
  };
  const world = {
    contract: serviceContract,
    store: new PetStore(animals),
    apiKeys,
    now: new Date(at),
    clock: at,
    random: Math.random,
    createId: () => '',
  };
  world.store.requests = 1;
  return printAnswer(answer(ask, world, hooksOf(behaviour)));
}
