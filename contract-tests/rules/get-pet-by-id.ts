import { type Exchange, toOperation } from '../client/exchange.ts';
import { toAgain } from '../client/to-request.ts';
import { type Animal, type FetchAnswer, firstAfter, knownSince, lastWitness } from '../history/history.ts';
import { isLate, isRemovedByOthers } from '../history/tolerances.ts';
import { ADDING, listAdded, needsAdditions } from './additions.ts';
import { findBodyFault } from './find-schema-fault.ts';
import { needsAnimals } from './get-pets.ts';
import { lookForHidden } from './hidden-status.ts';
import { sightDifference } from './kept.ts';
import { findDifferences } from './members.ts';
import { type Evidence, type Gap, type Look, underHeading } from './rule.ts';
import { compare, listAuthorized, lookAtStatus, sight, wrongStatus } from './sight.ts';
import { isFar } from './unreturned.ts';

export const getPetByIdClauses = underHeading('GET /pets/{petId}', { needs: ['animals by id'] })([
  {
    id: 'get-pet/success',
    sentence: 'GET /pets/{petId} returns 200 and a Pet for an existing animal.',
    explainedBy: ['list-pets/pets'],
    tolerated: { 'the removal on 5 December 2030': 'any 3xx or 4xx from then on, or none' },
    needs: ['animals by id', ...ADDING, 'last look'],
    look: unlessGone((evidence) => [...lookAtFound(evidence, false), ...lookAtBodies(evidence)]),
    findGap: (evidence) => needsGetPet(evidence) ?? needsAnimals(evidence),
  },
  {
    id: 'get-pet/right-animal',
    sentence: 'GET /pets/{petId} returns the animal with the requested id.',
    explainedBy: ['get-pet/success'],
    needs: ['animals by id', 'last look'],
    look: unlessGone(lookAtIds),
    findGap: (evidence) => needsGetPet(evidence) ?? needsAnimals(evidence),
  },
  {
    id: 'get-pet/same-as-listed',
    sentence: 'GET /pets/{petId} returns every animal as GET /pets lists it.',
    explainedBy: ['get-pet/success', 'list-pets/pets', 'list-pets/filters', 'store/steady'],
    needs: ['lists', 'animals by id', ...ADDING, 'last look'],
    look: unlessGone(lookAtSame),
    findGap: (evidence) => needsGetPet(evidence) ?? needsAnimals(evidence),
  },
  {
    id: 'get-pet/finds-added',
    isOfWrites: true,
    sentence: 'GET /pets/{petId} returns an added animal as POST /pets returned it.',
    tolerated: { 'time until GET /pets/{petId} shows a new animal': 'within 2 s (--settle)' },
    explainedBy: ['get-pet/success', 'get-pet/right-animal', 'get-pet/same-as-listed', 'create-pet/'],
    needs: [...ADDING, 'last look'],
    look: unlessGone((evidence) => [...lookAtFound(evidence, true), ...lookAtAdded(evidence)]),
    findGap: (evidence) => needsGetPet(evidence) ?? needsAdditions(evidence),
  },
  {
    id: 'get-pet/unknown-is-404',
    sentence: 'GET /pets/{petId} returns 404 for an id that no animal has.',
    explainedBy: ['get-pet/right-animal', 'create-pet/id-assigned', 'create-pet/unique-id'],
    needs: ['lists', 'unknown ids', 'other spellings', 'near ids'],
    look: unlessGone(lookAtUnknown),
    findGap: needsGetPet,
  },
  {
    id: 'get-pet/non-integer',
    sentence: 'GET /pets/{petId} returns no animal for a petId that is not an int64.',
    explainedBy: ['get-pet/unknown-is-404'],
    tolerated: { 'a petId that is not an int64': 'any 3xx or 4xx' },
    needs: ['unknown ids'],
    look: unlessGone(lookAtNonIntegers),
    findGap: needsGetPet,
  },
]);

/** Returns why GET /pets/{petId} cannot be tested: it has been removed, or the key has no right to it. */
export function needsGetPet({ history }: Evidence): Gap | undefined {
  if (history.isGetPetRemoved) return { reason: 'GET /pets/{petId} has been removed, as announced' };
  if (isWithoutRight(history.fetches))
    return { reason: 'GET /pets/{petId} returned 403: the key has no right to it' };
  return undefined;
}

/** Leaves out the responses of an operation that has been removed, or to which the key has no right. */
function unlessGone(look: (evidence: Evidence) => readonly Look[]): (evidence: Evidence) => readonly Look[] {
  return (evidence) => (needsGetPet(evidence) === undefined ? look(evidence) : []);
}

/** Returns whether a request by id got 403 with an Error, and none succeeded. */
function isWithoutRight(fetches: readonly FetchAnswer[]): boolean {
  const isForbidden = ({ exchange }: FetchAnswer) =>
    exchange.status === 403 && findBodyFault('Error', exchange) === undefined;
  return fetches.some(isForbidden) && !fetches.some(({ exchange }) => exchange.isSuccess);
}

/**
 * Looks whether animals that there are were found. Nothing puts an animal back that was removed.
 * @param isOwn whether to look at those that the run has added, or at the others
 */
function lookAtFound(evidence: Evidence, isOwn: boolean): readonly Look[] {
  const { history, target } = evidence;
  return history.fetches.flatMap(({ exchange, id, shown }): Look[] => {
    const animal = history.animals.get(id);
    const wasShown = animal?.observations.some(
      (one) => one.shown !== undefined && one.exchange.end <= exchange.at,
    );
    if (animal === undefined || wasShown !== true || (animal.addition !== undefined) !== isOwn) return [];
    if (exchange.status === 200) return shown === undefined ? [] : [compare(exchange, [shown])];
    const request = { what: 'animal', id: String(id), seen: isOwn ? 'added' : 'before and after' } as const;
    const fault = wrongStatus(exchange, 200, request);
    const witness = lastWitness(animal, 'list');
    const ask = [...(witness === undefined ? [] : [toAgain(witness)]), toAgain(exchange)];
    const parts = { subject: 'animals by id', ask, about: [id] };
    if (exchange.status !== 404) return [sight(exchange, fault, parts)];
    const before = animal.observations.findLast(
      (one) => one.shown !== undefined && one.exchange.end <= exchange.at,
    );
    const after = firstAfter(animal, exchange.end);
    const isAgain = animal.observations.some(
      (one) => one.shown !== undefined && one.exchange.at >= exchange.end,
    );
    const isNew = before !== undefined && isLate(exchange, knownSince(animal, before), target.settle);
    const ownExcuse = isNew ? ('late' as const) : undefined;
    return [
      sight(exchange, fault, {
        ...parts,
        evidence: isAgain ? 'seen' : 'to be asked again',
        excuse: isRemovedByOthers(animal, exchange.at) ? 'removed by others' : ownExcuse,
        ...(before !== undefined && { before: [before.exchange] }),
        ...(after !== undefined && { more: [after.exchange] }),
      }),
    ];
  });
}

/** Returns whether a 200 that cannot be read may be an animal: a list, or a 201, could not be read either, and may have shown its id. */
function mayBeThere({ status, object, end }: Exchange, { exchanges }: Evidence['history']): boolean {
  const isUnread = ({ request, isSuccess, json, at }: Exchange) =>
    ['GET /pets', 'POST /pets'].includes(toOperation(request)) && isSuccess && json === undefined && at < end;
  return status === 200 && object === undefined && exchanges.some(isUnread);
}

/** Looks at the bodies of animals by their ids. */
function lookAtBodies({ history }: Evidence): readonly Look[] {
  return history.fetches.flatMap(({ exchange, id }): Look[] => {
    // What an unknown id gets is left to get-pet/unknown-is-404.
    const isThere = history.isKnown(id, exchange.at) || mayBeThere(exchange, history);
    if (exchange.status !== 200 || !isThere) return [];
    const problem = findBodyFault('Pet', exchange);
    if (problem === undefined) return [compare(exchange, [exchange.animal])];
    return [
      sight(exchange, { kind: 'body', expected: 'Pet', problem }, { subject: 'Pet by id', about: [id] }),
    ];
  });
}

function lookAtIds({ history }: Evidence): readonly Look[] {
  return history.fetches.flatMap(({ exchange, id, shown }) => {
    if (shown === undefined || typeof shown.id !== 'bigint') return [];
    // An id that no animal has is left to get-pet/unknown-is-404.
    if (!history.isKnown(id, exchange.at)) return [];
    if (shown.id === id) return [compare(exchange, [shown])];
    const ids = { expected: String(id), received: String(shown.id) };
    return [
      sight(
        exchange,
        { kind: 'id', idProblem: 'not requested', ...ids },
        { subject: 'other animals', about: [id] },
      ),
    ];
  });
}

function lookAtSame(evidence: Evidence): readonly Look[] {
  const { history } = evidence;
  const differences = evidence
    .once(findDifferences)
    .filter(
      ({ animal, observation, isContradicted }) =>
        animal.addition === undefined && observation.how === 'by id' && !isContradicted,
    );
  const isListed = (id: bigint) => history.animals.get(id)?.observations.some(({ how }) => how === 'list');
  const compared = history.fetches.filter(({ id, shown }) => shown?.id === id && isListed(id));
  return [
    ...compared.map(({ exchange, shown }) => compare(exchange, [shown])),
    ...differences.map((one) => sightDifference(one, 'other record', `${one.member} by id`)),
    ...lookAtStatuses(evidence),
    ...lookForHidden(evidence, 'by id'),
  ];
}

/** How many animals have to show another status by id than in lists, before and after: others change single ones. */
const LEAST_OF_OTHERS = 3;

/** Looks for statuses that are others by id than in lists, for several animals. */
function lookAtStatuses({ history }: Evidence): readonly Look[] {
  const wrong = [...history.animals.values()].flatMap((animal) => {
    if (animal.isShared) return [];
    const shows = animal.observations.filter(({ shown, how }) => shown !== undefined && how !== 'added');
    const listed = shows.filter(({ how }) => how === 'list');
    const fetched = shows.filter(({ how }) => how === 'by id');
    return fetched.flatMap((one) => {
      const before = listed.findLast(({ exchange }) => exchange.end <= one.exchange.at);
      const after = listed.find(({ exchange }) => exchange.at >= one.exchange.end);
      const [status, other] = [one.shown?.status, before?.shown?.status];
      const isSame = other === after?.shown?.status;
      if (
        before === undefined ||
        after === undefined ||
        !isSame ||
        other === undefined ||
        status === undefined
      )
        return [];
      return status === other ? [] : [{ animal, one, before, after }];
    });
  });
  const count = new Set(wrong.map(({ animal }) => animal.id)).size;
  const areFew = count < LEAST_OF_OTHERS;
  // Where lists alone show as many animals that go back to a status, others hold animals for a while.
  const areHeld = [...history.animals.values()].filter(hasTurnedInLists).length >= count;
  return wrong.map(({ animal, one, before, after }) =>
    sight(
      one.exchange,
      {
        kind: 'member',
        member: 'status',
        expected: JSON.stringify(before.shown?.status),
        received: JSON.stringify(one.shown?.status),
        compared: 'other record',
        id: String(animal.id),
      },
      {
        subject: 'status by id',
        evidence: areFew ? 'to be asked again' : 'seen',
        excuse: areFew || areHeld ? 'changed by others' : undefined,
        about: [animal.id],
        ask: [before, one, after].map(({ exchange }) => toAgain(exchange)),
        before: [before.exchange],
        more: [after.exchange],
      },
    ),
  );
}

/** Returns whether lists have shown an animal with a status, with another one, and with the first again. */
function hasTurnedInLists({ observations }: Animal): boolean {
  const statuses = observations.flatMap(({ how, shown }) => (how === 'list' ? (shown?.status ?? []) : []));
  const change = statuses.findIndex((status) => status !== statuses[0]);
  return change !== -1 && statuses.lastIndexOf(statuses[0] ?? '') > change;
}

function lookAtAdded(evidence: Evidence): readonly Look[] {
  const { history } = evidence;
  const differences = evidence
    .once(findDifferences)
    .filter(({ animal, observation, isUnusual, isOther, isAsAdded }) => {
      const isById = observation.how === 'by id' && (!isUnusual || isOther);
      // What the 201 has changed already is left to the clauses about it.
      return animal.addition !== undefined && isById && !isAsAdded;
    });
  const compared = evidence.once(listAdded).flatMap(({ shown }) => {
    const found = history.fetches.filter((one) => one.id === shown?.id && one.shown?.id === one.id);
    return found.map(({ exchange, shown: one }) => compare(exchange, [one]));
  });
  return [
    ...compared,
    ...differences.map((one) => sightDifference(one, 'other record', `${one.member} of an added one`)),
  ];
}

function lookAtUnknown({ history }: Evidence): readonly Look[] {
  return history.fetches.flatMap(({ exchange, id, shown }) => {
    if (history.isKnown(id, exchange.at)) return [];
    const { object, status } = exchange;
    const animal = history.animals.get(id);
    // An animal may exist although no list has shown it; a copy of one of this run does not.
    const isCopy = shown !== undefined && isCopyOfOwn(history, id, shown.name);
    const isThere = object?.id === id && !isCopy;
    const isAddedSoon = animal?.addition !== undefined && animal.addition.exchange.at < exchange.end;
    if (isThere || isAddedSoon || mayBeThere(exchange, history)) return [];
    const isOfOthers = animal !== undefined && !animal.isOwn && history.isKnown(id);
    const isOtherwiseKnown = isOfOthers && typeof object?.id !== 'bigint' && exchange.isSuccess;
    if (isOtherwiseKnown) return [];
    if (status === 404) return [compare(exchange)];
    const twins = [...history.animals.values()].filter(
      ({ addition }) => addition?.sent?.name === shown?.name,
    );
    const about = [
      ...(typeof object?.id === 'bigint' ? [id, object.id] : [id]),
      ...(isCopy ? twins.map((twin) => twin.id) : []),
    ];
    const fault = wrongStatus(exchange, 404, { what: 'unknown id' });
    return [sight(exchange, fault, { subject: 'unknown ids', about })];
  });
}

/** Returns whether an id only looks like that of an animal of this run: it has the name of that one. */
function isCopyOfOwn(history: Evidence['history'], id: bigint, name: unknown): boolean {
  if (!history.marks.names.has(name)) return false;
  const own = [...history.animals.values()].filter(({ addition }) => addition?.sent?.name === name);
  return own.length > 0 && own.every((one) => isFar(id, one.id));
}

const INT64 = /^\/pets\/-?\d{1,19}$/;

function lookAtNonIntegers(evidence: Evidence): readonly Look[] {
  return evidence.once(listAuthorized).flatMap((exchange) => {
    const { path, request, requestedId, status } = exchange;
    if (request.method !== 'GET' || !path.startsWith('/pets/') || path.includes('?') || path === '/pets/')
      return [];
    const isInt64 = requestedId !== undefined && BigInt.asIntN(64, requestedId) === requestedId;
    // A service may take 01 for 1, and -0 for 0.
    if (isInt64 && (path === `/pets/${requestedId}` || INT64.test(path))) return [];
    const petId = path.slice('/pets/'.length);
    // Another 2xx may belong to another path, but hardly for a word.
    const isAnimal = exchange.object?.name !== undefined || petId === 'abc';
    const isFound = exchange.isSuccess && isAnimal;
    const isDecoded = !/%(?:00|E0)/i.test(petId);
    if (status >= 500 && !isDecoded) return [];
    const isMet = !isFound && status > 0 && status < 500;
    const look = lookAtStatus(exchange, 'no animal', isMet, {
      what: 'petId',
      petId: exchange.shorten(petId),
    });
    return ['fault' in look ? { ...look, subject: 'no ids' } : look];
  });
}
