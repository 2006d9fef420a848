import type { Reply } from '../../common/http/reply.ts';
import { answer } from '../service/answer.ts';
import { printAnswer } from '../service/print-answer.ts';
import type { Ask, Hook, World } from '../service/types.ts';
import { type ChoiceName, type Difference, hooksOf } from './choices.ts';

/** Creates worlds with the same random numbers, and the same id for a message. */
export function repeating(world: World): () => World {
  const drawn: number[] = [];
  let id: string | undefined;
  const createId = () => {
    id ??= world.createId();
    return id;
  };
  return () => {
    let index = 0;
    const random = () => {
      drawn[index] ??= world.random();
      index += 1;
      return drawn[index - 1] as number;
    };
    return { ...world, random, createId };
  };
}

/** Returns whether a client cannot tell two replies apart. */
export const isSameReply = (one: Reply, other: Reply): boolean =>
  one.status === other.status &&
  one.body === other.body &&
  JSON.stringify(one.headers) === JSON.stringify(other.headers);

/** What a behaviour did to a request. */
export interface Answered {
  readonly reply: Reply;
  readonly acted: readonly ChoiceName[];
}

/**
 * Answers a request with a behaviour, and names the choices that acted: without one of them, the reply would be another one.
 * @param difference The values that differ from the plain service.
 * @param known Choices that are known to act, which are not compared.
 */
export function answerAs(
  difference: Difference,
  ask: Ask,
  world: World,
  known: ReadonlySet<ChoiceName>,
): Answered {
  const names = (Object.keys(difference) as ChoiceName[]).filter((name) => !known.has(name));
  const next = repeating(world);
  const others = names.map((name) => {
    const { [name]: _, ...rest } = difference;
    return [name, tryAnswer(hooksOf(rest), ask, next())] as const;
  });
  const reply = printAnswer(answer(ask, next(), hooksOf(difference)));
  return {
    reply,
    acted: others.filter(([, other]) => !isSameReply(other, reply)).map(([name]) => name),
  };
}

/** Returns the reply to a request with some hooks, and takes back what it has changed. */
export function tryAnswer(hooks: readonly Hook[], ask: Ask, world: World): Reply {
  return world.store.attempt(() => printAnswer(answer(ask, world, hooks)));
}
