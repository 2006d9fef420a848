import { errorStatuses } from '../../common/http/errors.ts';
import type { Reply } from '../../common/http/reply.ts';
import { answer } from '../service/answer.ts';
import { printAnswer } from '../service/print-answer.ts';
import type { Ask, World } from '../service/types.ts';
import { type TriedValue, triedValues } from './behaviours.ts';
import { hooksOf } from './choices.ts';

/** Creates worlds with the same random numbers, and the same id for a message. */
function repeating(world: World): () => World {
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
const isSameReply = (one: Reply, other: Reply): boolean =>
  one.status === other.status &&
  one.body === other.body &&
  JSON.stringify(one.headers) === JSON.stringify(other.headers);

/** A value other than the default, and how many responses it would have changed. */
export interface ActingValue extends TriedValue {
  /** Counted up to 20. */
  readonly responses: number;
}

/** After so many responses, a value comes early anyway. */
const ENOUGH = 20;

const singles = triedValues.map((tried) => ({ tried, hooks: hooksOf(tried.behaviour) }));

/** Answers as the plain service, and counts for each value of each choice how many replies it would have changed. */
export class EffectCounts {
  /** Number of requests, with any behaviour, and of those that were not refused for their key. */
  requests = 0;
  accepted = 0;
  readonly #responses = new Map(singles.map((single) => [single, 0]));

  answer(ask: Ask, world: World): Reply {
    const next = repeating(world);
    const wanted = singles.filter((single) => this.#countOf(single) < ENOUGH);
    const others = wanted.map(({ hooks }) =>
      world.store.attempt(() => printAnswer(answer(ask, next(), hooks))),
    );
    const reply = printAnswer(answer(ask, next()));
    wanted.forEach((single, index) => {
      const isSame = isSameReply(reply, others[index] as Reply);
      if (!isSame) this.#responses.set(single, this.#countOf(single) + 1);
    });
    return reply;
  }

  count({ status }: Reply): void {
    this.requests += 1;
    if (status !== errorStatuses.unauthorized) this.accepted += 1;
  }

  /** Lists the values that would have changed a response, the most frequent first. */
  list(): ActingValue[] {
    const all = singles.map((single) => ({ ...single.tried, responses: this.#countOf(single) }));
    const acting = all.filter(({ responses }) => responses > 0);
    return acting.sort((one, other) => other.responses - one.responses);
  }

  #countOf(single: (typeof singles)[number]): number {
    return this.#responses.get(single) ?? 0;
  }
}
