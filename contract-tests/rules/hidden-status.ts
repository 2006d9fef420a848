import { toJsonText } from '../client/show-value.ts';
import type { Fault } from '../failures/failure.ts';
import type { Animal, Observation } from '../history/history.ts';
import { isLate } from '../history/tolerances.ts';
import type { Evidence, Look, Sighting } from './rule.ts';
import { sight } from './sight.ts';

function hasStatus({ shown }: Observation): boolean {
  return shown?.status !== undefined;
}

function describe({ shown }: Observation, id: string): Fault {
  const received = toJsonText(shown?.status);
  return received === undefined
    ? { kind: 'hidden member', member: 'status', id }
    : { kind: 'member', member: 'status', received, compared: 'other record', id };
}

/**
 * Looks for responses that do not show the status of an animal which those before and after them show, or, where there are none, that
 * show one although those do not. Others may change a status, but a status does not come and go.
 */
export function lookForHidden(evidence: Evidence, how: Observation['how']): readonly Look[] {
  const hidden = evidence.once(findAllHidden).filter((one) => one.how === how);
  return hidden.map(({ sighting }) => sighting);
}

interface Hidden {
  readonly how: Observation['how'];
  readonly sighting: Sighting;
}

function findAllHidden({ history, target }: Evidence): readonly Hidden[] {
  const animals = [...history.animals.values()].filter(({ isShared }) => !isShared);
  return animals.flatMap((animal) => findHidden(animal, target.settle));
}

function findHidden({ id, observations }: Animal, settle: number): readonly Hidden[] {
  // A status of another type is a fault of its own.
  const shows = observations.filter(
    ({ shown }) => shown !== undefined && ['string', 'undefined'].includes(typeof shown.status),
  );
  const since = Math.min(...shows.filter(hasStatus).map(({ exchange }) => exchange.end));
  if (since === Number.POSITIVE_INFINITY || shows.every(hasStatus)) return [];
  const found = shows.flatMap((one) => {
    const others = shows.filter((other) => hasStatus(other) !== hasStatus(one));
    const before = others.find(({ exchange }) => exchange.end < one.exchange.at);
    const after = others.findLast(({ exchange }) => exchange.at > one.exchange.end);
    return before === undefined || after === undefined ? [] : [{ one, before, after }];
  });
  const lacking = found.filter(({ one }) => !hasStatus(one));
  return (lacking.length > 0 ? lacking : found).map(({ one, before, after }) => {
    // A status that an animal has just got may be late in other responses.
    const isLagging = hasStatus(one) && isLate(after.exchange, since, settle);
    const sighting = sight(one.exchange, describe(one, `${id}`), {
      subject: 'hidden status',
      excuse: isLagging ? 'late' : undefined,
      about: [id],
      before: [before.exchange],
      more: [after.exchange],
    });
    return { how: one.how, sighting };
  });
}
