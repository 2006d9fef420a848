import type { ChoiceName } from '../../common/behaviour/choices.ts';
import type { Exchange } from '../../common/learn/exchange.ts';
import { FinishedRun, type Observation } from '../../common/learn/finished-run.ts';
import { observers } from '../../common/learn/learn.ts';
import { type Era, merge, type Traffic, target } from './traffic.ts';

/** Observes a choice in traffic. */
export type Observe = (traffic: Traffic) => Observation;

/** Why a choice is unknown that clients could have shown. */
export const NOT_SENT = 'no client sent requests that show it';

/** Observes each era, and merges what they show. */
export function inEras(observeEra: (era: Era, traffic: Traffic) => Observation): Observe {
  return (traffic) =>
    merge(
      traffic.eras.map((era) => observeEra(era, traffic)),
      NOT_SENT,
    );
}

/** Observes as in a run, in exchanges that show the choice whoever sent them. */
export function asInRun(name: ChoiceName): Observe {
  return inEras(({ run }) => observeRun(name, run));
}

/** Observes as in a run, without refused animals, whose reason nobody knows. */
export function ofAccepted(name: ChoiceName): Observe {
  return inEras(({ accepted }) => observeRun(name, accepted));
}

/** Says why no traffic shows a choice. */
export function notLearned(unknown: string): Observe {
  return () => ({ unknown });
}

/** Observes a choice as in a run. */
export function observeRun(name: ChoiceName, run: FinishedRun): Observation {
  return observers[name]?.(run) ?? { unknown: NOT_SENT };
}

/** Returns a run of these exchanges only. */
export function only(exchanges: readonly (Exchange | undefined)[]): FinishedRun {
  return new FinishedRun(
    exchanges.filter((one) => one !== undefined),
    target,
  );
}
