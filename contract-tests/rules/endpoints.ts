import { toJsonText } from '../client/show-value.ts';
import { toAgain } from '../client/to-request.ts';
import { type Animal, areAtOnce, type Observation } from '../history/history.ts';
import { ALL } from '../history/list-query.ts';
import { areChangedByOthers, hasThreeStatuses, isLate, type Tolerance } from '../history/tolerances.ts';
import { needsAdditions } from './additions.ts';
import { sightDifference } from './kept.ts';
import { findDifferences } from './members.ts';
import { compareLists } from './membership.ts';
import { type Evidence, type Look, type Sighting, underHeading } from './rule.ts';
import { seeMissing } from './see-missing.ts';
import { compare, sight } from './sight.ts';

export const endpointsClauses = underHeading('Endpoints')([
  {
    id: 'store/kept',
    sentence:
      'Every animal keeps its members, except for its status, until the end of the run and stays in the list.',
    explainedBy: [
      ...['list-pets/success', 'list-pets/pets', 'list-pets/unique-ids'],
      // Not that GET by id does not find an animal, which takes it out of no list.
      ...['get-pet/right-animal', 'get-pet/same-as-listed', 'create-pet/stored'],
    ],
    look: (evidence) => [
      ...seeMissing('store/kept', evidence),
      ...compareLists(evidence, ({ query }) => query.kind === ALL),
      ...lookAtDifferences(evidence),
      ...lookForDisplaced(evidence),
    ],
    findGap: (_, looks) =>
      looks.length === 0 ? { reason: 'no response had to show an animal again' } : undefined,
  },
  {
    id: 'store/sequences',
    isOfWrites: true,
    sentence: 'An added animal is stored, and is there until the end of the run.',
    explainedBy: ['list-pets/', 'create-pet/'],
    tolerated: {
      'what other clients do during a run': 'they may add animals, and remove theirs, at any time',
    },
    look: lookForGone,
    findGap: needsAdditions,
  },
  {
    id: 'store/steady',
    sentence:
      'All responses agree on an animal: its members stay, it does not come and go, and its status does not change back and forth.',
    explainedBy: ['list-pets/', 'create-pet/', 'get-pet/', 'store/kept', 'service/browser'],
    tolerated: { 'transitions between statuses': 'at any time, but not back and forth in requests at once' },
    othersCanCauseIt: true,
    look: (evidence) => [...lookAtContradictions(evidence), ...lookForBackAndForth(evidence)],
    findGap: (_, looks) =>
      looks.length === 0 ? { reason: 'no two responses have shown the status of one animal' } : undefined,
  },
]);

/** Looks at animals of others in lists: a list never shows another value of a member that nobody changes. */
function lookAtDifferences(evidence: Evidence): readonly Look[] {
  return evidence
    .once(findDifferences)
    .filter(({ animal, observation, isContradicted }) => {
      return animal.addition === undefined && observation.how === 'list' && !isContradicted;
    })
    .map((one) => sightDifference(one, 'of the animal, as before', `${one.member} in lists`));
}

/** Looks for animals of which the same request has shown two values of a member that nobody changes. */
function lookAtContradictions(evidence: Evidence): readonly Look[] {
  return evidence
    .once(findDifferences)
    .filter(({ animal, isContradicted }) => animal.addition === undefined && isContradicted)
    .map((one) => sightDifference(one, 'of the animal, as before', `${one.member} of ${one.animal.id}`));
}

/** Others who remove this many animals of the run, and none of their own, are no others. */
const MORE_THAN_OTHERS_REMOVE = 3;

/** How many of the animals next to those that are gone, by their ids, are watched while one is added. */
const WATCHED = 4;

/** How many animals of others have to be gone until it is tried whether additions remove them, and how many additions have to. */
const LEAST_GONE = 3;
const LEAST_DISPLACED = 2;

/** Looks for animals that are there until one is added, each time that one is added. Others remove animals at any time. */
function lookForDisplaced({ history }: Evidence): readonly Look[] {
  const all = [...history.animals.values()].filter(({ id }) => history.isKnown(id));
  const gone = all.filter(isGone);
  const ofOthers = gone.filter(({ isOwn }) => !isOwn);
  const [first] = ofOthers;
  const added = history.additions.filter(({ shown, sent }) => shown !== undefined && sent !== undefined);
  const last = added.at(-1);
  if (first === undefined || last === undefined || ofOthers.length < LEAST_GONE) return [];
  // Whether ids count up or down, the oldest animals go first.
  const sorted = all.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const isDenied = ({ observations }: Animal) => observations.at(-1)?.shown === undefined;
  const below = sorted.slice(0, sorted.findIndex(isDenied)).slice(-WATCHED);
  const above = sorted.slice(sorted.findLastIndex(isDenied) + 1).slice(0, WATCHED);
  const look = [...below, ...above].map(({ id }) => ({ path: `/pets/${id}` }));
  const losses = gone.flatMap((animal) => {
    const looks = looksAt(animal);
    const denied = looks.find(
      ({ shown }, index) => shown === undefined && looks[index - 1]?.shown !== undefined,
    );
    const before = denied && looks[looks.indexOf(denied) - 1];
    if (denied === undefined || before === undefined) return [];
    const between = added.filter(
      ({ exchange }) => exchange.at >= before.exchange.end && exchange.end <= denied.exchange.at,
    );
    return [{ id: animal.id, denied, before, between }];
  });
  const displacing = new Set(
    losses.flatMap(({ between: [one, ...others] }) => (others.length > 0 ? [] : (one ?? []))),
  );
  const isByAdditions =
    displacing.size >= LEAST_DISPLACED && losses.every(({ between }) => between.length > 0);
  const shown =
    losses.length > 0 ? losses : [{ id: first.id, denied: looksAt(first).at(-1), before: undefined }];
  return shown.flatMap(({ id, denied, before }) => {
    if (denied === undefined) return [];
    const request = { what: 'animal', id: String(id), seen: 'before the additions' } as const;
    return [
      sight(
        denied.exchange,
        { kind: 'status', expected: 200, request },
        {
          subject: 'removed by additions',
          evidence: isByAdditions ? 'seen' : 'to be asked again',
          excuse: isByAdditions ? undefined : 'removed by others',
          about: [id],
          // Twice before, which shows whether they go without an addition too.
          ask: [...look, ...look, toAgain(last.exchange), ...look],
          ...(before !== undefined && { before: [before.exchange] }),
        },
      ),
    ];
  });
}

/** Looks for animals of the run that are gone, or never were there. */
function lookForGone({ history, target }: Evidence): readonly Look[] {
  const there = [...history.animals.values()].filter(({ id }) => history.isKnown(id));
  const allGone = there.filter(isGone);
  const gone = allGone.filter(({ isOwn }) => isOwn);
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

/** Returns whether an animal is no longer found by its id. An id may have been tried before an animal had it. */
function isGone(animal: Animal): boolean {
  const last = looksAt(animal).at(-1);
  if (last === undefined || last.shown !== undefined) return false;
  return animal.observations.some(
    ({ shown, exchange }) => shown !== undefined && exchange.end <= last.exchange.at,
  );
}

/** Looks for statuses that differ from the same one before and after. */
function lookForBackAndForth({ history, target }: Evidence): readonly Look[] {
  const areChanged = areChangedByOthers(history);
  return [...history.animals.values()].flatMap((animal) => {
    if (animal.isShared) return [];
    const shows = animal.observations.filter(
      ({ shown, how }) => shown?.status !== undefined && how !== 'added',
    );
    const firstChange = shows.find(({ shown }) => shown?.status !== shows[0]?.shown?.status)?.exchange.end;
    const looks =
      shows.length > 1 ? shows.slice(1).map(({ exchange, shown }) => compare(exchange, [shown])) : [];
    if (firstChange === undefined) return looks;
    return [...looks, ...findTurns(animal, shows, firstChange, areChanged, target.settle)];
  });
}

function findTurns(
  { id }: Animal,
  shows: readonly Observation[],
  firstChange: number,
  areChanged: boolean,
  settle: number,
): readonly Sighting[] {
  return shows.flatMap((now, index) => {
    const before = shows[index - 1];
    const after = shows[index + 1];
    const [from, to] = [before?.shown?.status, now.shown?.status];
    if (before === undefined || after === undefined || from === to || from !== after.shown?.status) return [];
    const isAtOnce = areAtOnce(before.exchange, after.exchange) && !areChanged && !hasThreeStatuses(shows);
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
