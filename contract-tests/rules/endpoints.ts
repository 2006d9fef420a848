import { toJsonText } from '../client/show-value.ts';
import { type Animal, areAtOnce, type Observation } from '../history/history.ts';
import { isLate, type Tolerance } from '../history/tolerances.ts';
import { findDifferences } from './members.ts';
import { compareLists, seeMissing, toAgain } from './membership.ts';
import { needsAdditions, sightDifference } from './post-pets.ts';
import { type Evidence, type Look, type Sighting, underHeading } from './rule.ts';
import { compare, sight } from './sight.ts';

const QUOTE =
  'list animals, optionally filtered by availability status; - add an animal; - fetch one animal by its identifier';

export const endpointsClauses = underHeading('Endpoints', { needs: ['animals', 'last look'] })([
  {
    id: 'store/kept',
    sentence:
      'Every animal keeps its name and its categoryId until the end of the run and stays in the list.',
    quote: QUOTE,
    explainedBy: [
      'list-pets/independent',
      'list-pets/success',
      'list-pets/pets',
      'list-pets/unique-ids',
      'get-pet/',
    ],
    needs: ['lists', 'lists again', 'last look'],
    look: (evidence) => [
      ...seeMissing('store/kept', evidence),
      ...compareLists(evidence, ({ query }) => query.status === undefined),
      ...lookAtDifferences(evidence),
    ],
    findGap: (_, looks) =>
      looks.length === 0
        ? { reason: 'no response had to show an animal again', isForReadOnly: true }
        : undefined,
  },
  {
    id: 'store/sequences',
    isOfWrites: true,
    sentence: 'An added animal is there until the end of the run.',
    quote:
      'list animals, optionally filtered by availability status; - add an animal; - fetch one animal by its identifier',
    explainedBy: ['list-pets/', 'create-pet/', 'get-pet/'],
    tolerated: {
      'what other clients do during a run': 'they may add animals, and remove theirs, at any time',
    },
    othersCanCauseIt: true,
    look: lookForGone,
    findGap: needsAdditions,
  },
  {
    id: 'store/steady',
    sentence:
      'All responses agree on an animal: its name and its categoryId stay, it does not come and go, and its status does not change back and forth.',
    quote: QUOTE,
    explainedBy: ['list-pets/', 'create-pet/', 'get-pet/', 'store/kept', 'service/browser'],
    tolerated: { 'transitions between statuses': 'at any time, but not back and forth in requests at once' },
    needs: ['lists', 'animals by id', 'lists again', 'last look'],
    othersCanCauseIt: true,
    look: (evidence) => [...lookAtContradictions(evidence), ...lookForBackAndForth(evidence)],
    findGap: (_, looks) =>
      looks.length === 0
        ? { reason: 'no two responses have shown one animal', isForReadOnly: true }
        : undefined,
  },
]);

/** Looks at animals of others in lists: a list never shows another name or category than before. */
function lookAtDifferences(evidence: Evidence): readonly Look[] {
  return evidence
    .once(findDifferences)
    .filter(({ animal, observation, isContradicted }) => {
      return animal.addition === undefined && observation.how === 'list' && !isContradicted;
    })
    .map((one) => sightDifference(one, 'of the animal, as before', `${one.member} in lists`));
}

/** Looks for animals of which the same request has shown two names or two categories. */
function lookAtContradictions(evidence: Evidence): readonly Look[] {
  return evidence
    .once(findDifferences)
    .filter(({ animal, isContradicted }) => animal.addition === undefined && isContradicted)
    .map((one) => sightDifference(one, 'of the animal, as before', `${one.member} of ${one.animal.id}`));
}

/** Others who remove this many animals of the run, and none of their own, are no others. */
const MORE_THAN_OTHERS_REMOVE = 3;

/** Looks for animals of the run that are gone, or never were there. */
function lookForGone({ history, target }: Evidence): readonly Look[] {
  const there = [...history.animals.values()].filter(({ id }) => history.isKnown(id));
  const allGone = there.filter(isGone);
  const gone = allGone.filter(({ addition }) => addition !== undefined);
  const doOthersRemove = gone.length < allGone.length;
  const kept = there.flatMap((animal) => {
    const last = looksAt(animal).at(-1);
    if (animal.addition === undefined || last?.shown === undefined) return [];
    return [compare(last.exchange, [last.shown])];
  });
  return [
    ...kept,
    ...gone.flatMap((animal): Sighting[] => {
      const { addition, id } = animal;
      const looks = looksAt(animal);
      const last = looks.at(-1);
      if (addition === undefined || last === undefined) return [];
      const { exchange } = addition;
      const wasSeen = looks.some(({ shown }) => shown !== undefined);
      const mayBeRemoved = doOthersRemove || (wasSeen && gone.length < MORE_THAN_OTHERS_REMOVE);
      const ownExcuse: Tolerance | undefined = mayBeRemoved ? 'removed by others' : undefined;
      const excuse = isLate(last.exchange, exchange.end, target.settle) ? 'late' : ownExcuse;
      const request = { what: 'animal', id: String(id), seen: 'added' } as const;
      return [
        sight(
          last.exchange,
          { kind: 'status', expected: 200, request },
          {
            subject: wasSeen ? 'gone' : 'never there',
            evidence: 'seen',
            excuse,
            about: [id],
            before: [exchange],
            ask: [toAgain(wasSeen ? last.exchange : exchange)],
          },
        ),
      ];
    }),
  ];
}

function looksAt({ observations }: Animal): readonly Observation[] {
  return observations.filter(({ how }) => how === 'by id');
}

function isGone(animal: Animal): boolean {
  const last = looksAt(animal).at(-1);
  return last !== undefined && last.shown === undefined;
}

/** Looks for statuses that differ from the same one before and after. */
function lookForBackAndForth({ history, target }: Evidence): readonly Look[] {
  return [...history.animals.values()].flatMap((animal) => {
    if (animal.isShared) return [];
    const shows = animal.observations.filter(
      ({ shown, how }) => shown?.status !== undefined && how !== 'added',
    );
    const firstChange = shows.find(({ shown }) => shown?.status !== shows[0]?.shown?.status)?.exchange.end;
    const looks =
      shows.length > 1 ? shows.slice(1).map(({ exchange, shown }) => compare(exchange, [shown])) : [];
    if (firstChange === undefined) return looks;
    return [...looks, ...findTurns(animal, shows, firstChange, target.settle)];
  });
}

function findTurns(
  { id }: Animal,
  shows: readonly Observation[],
  firstChange: number,
  settle: number,
): readonly Sighting[] {
  return shows.flatMap((now, index) => {
    const before = shows[index - 1];
    const after = shows[index + 1];
    const [from, to] = [before?.shown?.status, now.shown?.status];
    if (before === undefined || after === undefined || from === to || from !== after.shown?.status) return [];
    // Where a third status is shown meanwhile, others change it.
    const isThird = ({ exchange, shown }: Observation) =>
      shown?.status !== from && shown?.status !== to && areAtOnce(exchange, now.exchange);
    const isAtOnce = areAtOnce(before.exchange, after.exchange) && !shows.some(isThird);
    const lateOrNot = isLate(now.exchange, firstChange, settle) ? ('late' as const) : undefined;
    return [
      sight(
        now.exchange,
        {
          kind: 'member',
          member: 'status',
          expected: toJsonText(from),
          received: toJsonText(to),
          compared: 'of the animal, as before and after',
          id: String(id),
        },
        {
          subject: `status of ${id}`,
          evidence: isAtOnce ? 'seen' : 'to be asked again',
          excuse: isAtOnce ? lateOrNot : 'changed by others',
          about: [id],
          ask: [before, now].map(({ exchange }) => toAgain(exchange)),
          before: [before.exchange],
          more: [after.exchange],
        },
      ),
    ];
  });
}
