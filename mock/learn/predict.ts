import type { Reply } from '../../common/http/reply.ts';
import { serviceContract } from '../contract.ts';
import { answer, methodsAt } from '../service/answer.ts';
import { type Contents, PetStore } from '../service/pet-store.ts';
import { printAnswer } from '../service/print-answer.ts';
import type { Ask, Hook } from '../service/types.ts';
import type { Seen } from './read-recording.ts';

/** Returns the request of a recorded exchange as the mock receives it. */
export function toAsk({ headers: sent, method, body, status, received, ...seen }: Seen): Ask {
  const [path = '', query = ''] = `/v1${seen.path}`.split(/\?(.*)/s);
  const { 'if-none-match': tag, prefer: _, ...headers } = sent;
  // The mock makes other tags. What matters is whether the client had the right one.
  const isKnownTag = tag !== undefined && (status === 304 || received.etag === tag);
  return {
    method,
    path,
    operation: methodsAt(path)?.[method],
    query: new URLSearchParams(query),
    search: query && `?${query}`,
    headers: isKnownTag ? { ...headers, 'if-none-match': '*' } : headers,
    body,
    basePath: '/v1',
    marks: {},
  };
}

/** A mock that has answered nothing yet. */
interface Start {
  readonly animals: Contents;
  readonly apiKeys: readonly string[];
  readonly hooks: readonly Hook[];
  /** The time, in ms. */
  readonly at: number;
}

export function predict(ask: Ask, { animals, apiKeys, hooks, at }: Start): Reply {
  const world = {
    contract: serviceContract,
    store: new PetStore(animals),
    apiKeys,
    now: new Date(at),
    clock: at,
    random: Math.random,
    createId: () => '',
  };
  return printAnswer(answer(ask, world, hooks));
}
