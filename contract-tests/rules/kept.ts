import { showValue, toJsonText } from '../client/show-value.ts';
import { toAgain } from '../client/to-request.ts';
import type { Animal, Observation } from '../history/history.ts';
import { LARGEST_LIMIT } from '../history/list-parameters.ts';
import { areChangedByOthers } from '../history/tolerances.ts';
import { isPlain, listAdded, listValid } from './additions.ts';
import { isRefusedForItself, lookForMixedUp } from './created.ts';
import { type Difference, describeDifference, findDifferences, isUnusualValue } from './members.ts';
import { compareLists } from './membership.ts';
import { type Evidence, isSighting, type Look } from './rule.ts';
import { compare, isServerFault, sight, wrongStatus } from './sight.ts';

export function lookAtEchoes(evidence: Evidence): readonly Look[] {
  const differences = evidence
    .once(findDifferences)
    .filter(({ observation, isUnusual }) => observation.how === 'added' && !isUnusual);
  const mixed = new Set(evidence.once(lookForMixedUp).map(({ exchange }) => exchange));
  const ofStatus = evidence
    .once(listAdded)
    .filter(({ sent, shown }) => sent?.status !== undefined && sent.status !== shown?.status);
  return [
    ...evidence.once(listAdded).map(({ exchange, shown }) => compare(exchange, [shown])),
    ...differences
      .filter(({ observation }) => !mixed.has(observation.exchange))
      .map((one) => sightDifference(one, 'other record', `echo of ${one.member}`)),
    ...ofStatus
      .filter(({ exchange }) => !mixed.has(exchange))
      .map(({ exchange, sent, shown }) =>
        sight(
          exchange,
          {
            kind: 'member',
            member: 'status',
            expected: toJsonText(sent?.status),
            received: toJsonText(shown?.status),
            compared: 'other record',
            id: toJsonText(shown?.id),
          },
          { subject: 'echo of status', about: shown === undefined ? [] : [shown.id] },
        ),
      ),
  ];
}

/** Creates the sighting of a member that is not as it should be. */
export function sightDifference(
  one: Difference,
  compared: Parameters<typeof describeDifference>[1],
  subject: string,
): Look {
  const { observation, shownBy, animal } = one;
  const { exchange } = observation;
  return sight(exchange, describeDifference(one, compared), {
    subject,
    about: [animal.id],
    ask: [toAgain(exchange)],
    ...(shownBy !== exchange && { before: [shownBy] }),
  });
}

/** Looks whether names, or categories, that might get lost are returned and kept by their ids as they were sent. */
export function lookAtKept(evidence: Evidence, member: 'name' | 'categoryId'): readonly Look[] {
  const differences = evidence
    .once(findDifferences)
    .filter(
      (one) => one.member === member && one.isUnusual && !one.isOther && one.observation.how !== 'list',
    );
  const unusual = evidence
    .once(listAdded)
    .filter(({ exchange, sent }) => isUnusualValue(exchange, member, sent?.[member]));
  const looks = unusual.map(({ exchange, shown }) => compare(exchange, [shown]));
  const failed = evidence.once(listValid).filter(({ exchange }) => {
    const isMeant = isServerFault(exchange, evidence.target.now) && !isPlain(exchange, evidence);
    const { name, categoryId } = exchange.sent;
    const isOfCategory = typeof categoryId === 'bigint' && BigInt.asIntN(24, categoryId) !== categoryId;
    return isMeant && (member === 'categoryId' ? isOfCategory : !isOfCategory) && name !== undefined;
  });
  return [
    ...looks,
    ...differences.map((one) =>
      sightDifference(one, one.observation.how === 'added' ? 'other record' : 'by its id', `${member} kept`),
    ),
    ...failed.map(({ exchange, sent }) => {
      const value = exchange.shorten(showValue(sent?.[member]));
      const asBody = { what: 'body', body: exchange.shorten(exchange.request.body ?? '') } as const;
      const request = 'nickname' in (sent ?? {}) ? asBody : ({ what: 'member', member, value } as const);
      return sight(exchange, wrongStatus(exchange, '201 or 4xx', request), {
        subject: `${member} that fails`,
      });
    }),
  ];
}

/** Looks whether each status is accepted and kept: an added animal is shown at once with the status that it was added with. */
export function lookAtStatuses(evidence: Evidence): readonly Look[] {
  const { history } = evidence;
  const valid = evidence.once(listValid);
  const isAnyAdded = valid.some(({ exchange, sent }) => exchange.isAddition && sent?.status === undefined);
  const isEverAdded = (status: unknown) =>
    valid.some(({ exchange, sent }) => exchange.isAddition && sent?.status === status);
  const refused = valid.filter(
    ({ exchange, sent }) =>
      isPlain(exchange, evidence) &&
      sent?.status !== undefined &&
      isRefusedForItself(exchange, valid) &&
      isAnyAdded &&
      !isEverAdded(sent.status),
  );
  const alone = [...history.animals.values()].filter(
    ({ addition }) => addition?.exchange.request.isTogether !== true,
  );
  // A service need not show statuses, but where it shows some it has lost the others.
  const shown = [...history.animals.values()].flatMap(({ observations }) =>
    observations.flatMap(({ how, shown: one }) => (one?.status === undefined ? [] : [how])),
  );
  const showing = new Set(shown);
  const areChanged = areChangedByOthers(history);
  const lookAtOne = (animal: Animal) => lookAtStatusOf(animal, (how) => showing.has(how), areChanged);
  const ofAlone = alone.flatMap(lookAtOne);
  const together = [...history.animals.values()].filter((animal) => !alone.includes(animal));
  // Statuses may be mixed up among animals that are added at once. Where others change statuses, that shows nothing.
  const kept = [...ofAlone, ...(ofAlone.some(isSighting) ? [] : together.flatMap(lookAtOne))];
  return [
    ...kept,
    ...refused.map(({ exchange, sent }) => {
      const request = { what: 'member', member: 'status', value: `${sent?.status}` } as const;
      return sight(exchange, wrongStatus(exchange, 201, request), { subject: `status ${sent?.status}` });
    }),
  ];
}

/** How many responses show whether the status of an animal was kept. */
const LOOKS_AT_STATUS = 2;

/** How many requests later others have hardly changed the status that an animal was added with. */
const SHORTLY = 3;

function lookAtStatusOf(
  { addition, observations, isShared, id }: Animal,
  showsStatuses: (how: Observation['how']) => boolean,
  areChanged: boolean,
): Look[] {
  if (addition?.shown === undefined || isShared) return [];
  const { exchange: posted, shown } = addition;
  const sent = addition.sent?.status;
  const status = sent ?? shown.status;
  if (status === undefined) return [];
  const later = observations.filter(({ how, exchange, shown: one }) => {
    const isShown = one?.status !== undefined || (one !== undefined && showsStatuses(how));
    return how !== 'added' && isShown && exchange.at >= posted.end;
  });
  // What the 201 has changed already belongs to create-pet/echoes.
  if (later.length === 0 || shown.status !== status) return [];
  const [first] = later;
  // Where it changes on, others change it.
  const isChanging = areChanged || later.some((one) => one.shown?.status !== first?.shown?.status);
  const isTogether = posted.request.isTogether === true;
  return later.slice(0, LOOKS_AT_STATUS).map(({ exchange, shown: one, how }) => {
    // What an omitted status becomes is not specified, nor when; but one that was shown does not go.
    const isRight = one?.status === status || (sent === undefined && one?.status !== undefined);
    if (isRight) return compare(exchange, [one]);
    const isShortly = !isChanging && (isTogether || exchange.number - posted.number <= SHORTLY);
    return sight(
      exchange,
      {
        kind: 'member',
        member: 'status',
        expected: toJsonText(status),
        received: toJsonText(one?.status),
        compared: how === 'list' ? 'in the list' : 'by its id',
        id: String(id),
      },
      {
        subject: `status ${status}`,
        evidence: isShortly ? 'seen' : 'to be asked again',
        excuse: isShortly ? undefined : 'changed by others',
        ask: [toAgain(posted), toAgain(exchange)],
        about: [id],
        before: [posted],
      },
    );
  });
}

export function lookAtListed(evidence: Evidence): readonly Look[] {
  const differences = evidence
    .once(findDifferences)
    .filter(({ observation, animal }) => observation.how === 'list' && animal.addition !== undefined);
  return [
    ...compareLists(evidence, ({ query }) => query.limit === LARGEST_LIMIT),
    ...differences
      // What the 201 has changed already is left to the clauses about it.
      .filter(({ isAsAdded }) => !isAsAdded)
      .map((one) => sightDifference(one, 'in the list', `${one.member} in lists`)),
  ];
}
