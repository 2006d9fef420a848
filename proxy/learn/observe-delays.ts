import { DELAY_PRECISION } from '../../common/behaviour/choices.ts';
import type { Exchange } from '../../common/learn/exchange.ts';
import { NOT_SHOWN, type Observation } from '../../common/learn/finished-run.ts';
import { LONGEST, longestByStatus } from '../../common/learn/lists.ts';
import { observeRun, only } from './in-eras.ts';
import { type Era, merge, type Traffic } from './traffic.ts';

/** Observes each addition up to the last list that shows its animal, because animals may disappear. */
export function observeListDelay({ accepted }: Era, { keyOf }: Traffic): Observation {
  const all = accepted.listsOf(LONGEST, ...longestByStatus);
  const observations = accepted.additions.map((added) => {
    const lists = all.filter((list) => keyOf(list) === keyOf(added));
    const shown = lists.filter(({ animals }) => animals.some(({ id }) => id === added.id));
    const last = Math.max(...shown.map(({ at }) => at));
    const relevant = lists.filter(({ at }) => at <= last);
    return toPrecise(observeRun('listDelay', only([added, ...relevant])), added);
  });
  return merge(observations, 'the traffic has no list soon after a new animal');
}

/** Observes each addition up to the last response that shows its animal: a mock that was reset does not have it any more. */
export function observeGetDelay({ accepted }: Era, { keyOf }: Traffic): Observation {
  const observations = accepted.additions.map((added) => {
    const fetches = accepted.fetches.filter(
      (one) => one.requestedId === added.id && keyOf(one) === keyOf(added),
    );
    const last = Math.max(...fetches.filter(({ animal }) => animal?.id === added.id).map(({ at }) => at));
    const relevant = fetches.filter(({ at }) => at <= last);
    return toPrecise(observeRun('getDelay', only([added, ...relevant])), added);
  });
  return merge(observations, 'no client asked for a new animal soon enough');
}

/** What is shown within this time is shown at once, in ms. */
const AT_ONCE = 100;

/** Returns a delay only if its bounds are narrow. In a run, many additions narrow them down. */
function toPrecise(observation: Observation, added: Exchange): Observation {
  if ('unknown' in observation) return { unknown: NOT_SHOWN };
  const showing = observation.evidence.at(-1);
  const lacking = observation.evidence.length > 1 ? observation.evidence[0] : undefined;
  const most = (showing?.end ?? Number.POSITIVE_INFINITY) - added.at;
  const least = lacking === undefined ? 0 : lacking.at - added.end;
  const isPrecise = most - least <= (observation.value === 0 ? AT_ONCE : DELAY_PRECISION);
  return isPrecise ? observation : { unknown: NOT_SHOWN };
}
