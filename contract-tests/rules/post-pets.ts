import type { JsonObject } from '../../common/json/exact-json.ts';
import { isJsonObject, parseExactJson } from '../../common/json/exact-json.ts';
import { type Exchange, hasValidKey } from '../client/exchange.ts';
import { showValue, toJsonText } from '../client/show-value.ts';
import type { RequestSubject } from '../failures/failure.ts';
import type { Addition, Animal, Observation } from '../history/history.ts';
import { isNewPet } from '../history/history.ts';
import { isStatus, LARGEST_LIMIT } from '../history/list-parameters.ts';
import { hasThreeStatuses } from '../history/tolerances.ts';
import { makeUpCategories } from '../requests/animals.ts';
import { findBodyFault } from './find-schema-fault.ts';
import { type Difference, describeDifference, findDifferences, isUnusualValue } from './members.ts';
import { compareLists, seeMissing, toAgain } from './membership.ts';
import { type Evidence, type Gap, isSighting, type Look, underHeading } from './rule.ts';
import {
  compare,
  isRefusedAsFull,
  isServerFault,
  listAll,
  listAnswered,
  lookAtStatus,
  sight,
  wrongStatus,
} from './sight.ts';

export const postPetsClauses = underHeading('POST /pets', { needs: ['animals'], isOfWrites: true })([
  {
    id: 'create-pet/success',
    sentence: 'POST /pets with a valid NewPet returns 201.',
    quote: '| 201 | Animal added. | Pet, including the assigned id. |',
    tolerated: {
      'number of animals that can be added':
        '402, 403, 409 or 507 for every animal, or a 429 for more than a minute',
    },
    needs: ['animals', 'other spellings'],
    look: (evidence) => [
      ...lookForCreated(evidence),
      ...lookForRefusedAlike(evidence),
      ...lookForNone(evidence),
    ],
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/pet',
    sentence: 'POST /pets returns a Pet with its 201.',
    quote: '| 201 | Animal added. | Pet, including the assigned id. |',
    look: ({ history }) =>
      history.additions
        .filter(({ exchange }) => exchange.isAddition)
        .map(({ exchange }) => {
          const problem = findBodyFault('Pet', exchange);
          if (problem === undefined) return compare(exchange, [exchange.animal]);
          const about = exchange.id === undefined ? [] : [exchange.id];
          return sight(exchange, { kind: 'body', expected: 'Pet', problem }, { subject: 'Pet', about });
        }),
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/echoes',
    sentence: 'POST /pets returns the name, the categoryId and the status that were sent.',
    quote: 'A Pet has every field of NewPet plus an identifier.',
    explainedBy: ['create-pet/pet'],
    tolerated: { 'status of an animal that was added without a status': 'any of the three, or none' },
    look: lookAtEchoes,
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/text-exact',
    sentence: 'POST /pets keeps a name to the character: letters of any script, markup, spaces.',
    quote: "| name | string | yes | The animal's name. |",
    explainedBy: [
      'create-pet/pet',
      'create-pet/echoes',
      'get-pet/success',
      'get-pet/right-animal',
      'get-pet/same-as-listed',
    ],
    tolerated: {
      'length or character limits on name':
        'a 4xx for any name; an accepted one is kept, but U+FFFD or ? may replace half of a surrogate pair',
    },
    needs: ['unusual animals'],
    look: (evidence) => lookAtKept(evidence, 'name'),
    findGap: (evidence, looks) => needsAdditions(evidence) ?? needsAccepted(looks, 'name'),
  },
  {
    id: 'create-pet/int64-exact',
    sentence: 'POST /pets keeps a categoryId to the last digit of an int64.',
    quote: '| categoryId | integer, int64 | yes | Identifier of the category. |',
    explainedBy: [
      'create-pet/pet',
      'create-pet/echoes',
      'get-pet/success',
      'get-pet/right-animal',
      'get-pet/same-as-listed',
    ],
    tolerated: { 'categories that an animal can have': 'a 4xx for a category without animals' },
    needs: ['unusual animals'],
    look: (evidence) => lookAtKept(evidence, 'categoryId'),
    findGap: (evidence, looks) => needsAdditions(evidence) ?? needsAccepted(looks, 'categoryId'),
  },
  {
    id: 'create-pet/category-any',
    sentence:
      'POST /pets accepts any positive int64 as a categoryId where it accepts ones that no animal has.',
    quote: '| categoryId | integer, int64 | yes | Identifier of the category. |',
    needs: ['unusual animals'],
    look: (evidence) => lookAtCategories(evidence, (categoryId) => categoryId > 0n),
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/status-kept',
    sentence: 'POST /pets accepts and keeps each of the three statuses.',
    quote: 'Allowed values: available, pending, sold.',
    explainedBy: ['create-pet/pet', 'create-pet/echoes', 'get-pet/same-as-listed'],
    needs: ['animals', 'animals at once'],
    othersCanCauseIt: true,
    look: lookAtStatuses,
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/unique-id',
    needs: ['animals', 'animals at once'],
    sentence: 'POST /pets gives each animal a unique id, even if several are added at once.',
    quote: 'Unique identifier, assigned by the service on creation.',
    look: (evidence) => [...lookAtIds(evidence), ...lookForMixedUp(evidence)],
    findGap: (evidence) =>
      needsAdditions(evidence) ??
      (listAdded(evidence).length < 2 ? { reason: 'only one animal could be added' } : undefined),
  },
  {
    id: 'create-pet/id-assigned',
    explainedBy: ['create-pet/unique-id'],
    sentence: 'POST /pets assigns the id; an id in the body is refused or ignored.',
    quote: 'Unique identifier, assigned by the service on creation.',
    tolerated: {
      'members of a body that NewPet does not have': 'a 4xx, ignored or kept; but an id is never kept',
    },
    needs: ['other spellings'],
    look: lookAtOwnIds,
    findGap: needsAdditions,
  },
  {
    id: 'create-pet/stored',
    sentence: 'An animal added by POST /pets is in the list of GET /pets, as it was returned.',
    quote: '| 201 | Animal added. | Pet, including the assigned id. |',
    explainedBy: [
      ...['list-pets/success', 'list-pets/limit-is-a-maximum', 'list-pets/independent', 'list-pets/status-'],
      ...[
        'list-pets/filter-before-limit',
        'list-pets/pets',
        'list-pets/unique-ids',
        'create-pet/',
        'get-pet/',
      ],
    ],
    needs: ['animals', 'unusual animals', 'animals at once', 'lists again', 'last look'],
    look: (evidence) => [
      ...seeMissing('create-pet/stored', evidence),
      ...lookForTwice(evidence),
      ...lookAtListed(evidence),
    ],
    findGap: (evidence, looks) =>
      needsAdditions(evidence) ??
      (looks.length === 0 ? { reason: 'no list had to show an animal of this run' } : undefined),
  },
  ...defineRefusals([
    [
      'name-required',
      'POST /pets without a name returns 400.',
      'name and categoryId must be present.',
      'no name',
    ],
    [
      'category-required',
      'POST /pets without a categoryId returns 400.',
      'name and categoryId must be present.',
      'no categoryId',
    ],
    [
      'name-type',
      'POST /pets with a name that is not a string returns 400.',
      'The body is missing required fields or contains invalid values.',
      'invalid name',
    ],
    [
      'category-type',
      'POST /pets with a categoryId that is not an int64 returns 400.',
      '| categoryId | integer, int64 | yes | Identifier of the category. |',
      'invalid categoryId',
    ],
    [
      'status-value',
      'POST /pets with a status that is not one of the three returns 400.',
      'Allowed values: available, pending, sold.',
      'invalid status',
    ],
  ]),
  {
    id: 'create-pet/body-required',
    sentence: 'POST /pets without a body, or with JSON that is not an object, returns 400.',
    quote: 'The request body is required. Its media type is application/json and its shape is NewPet.',
    tolerated: { 'a body of another media type': 'anything but a 5xx' },
    needs: ['invalid bodies'],
    look: (evidence) => [...lookAtRefusals(evidence, 'no object'), ...lookAtOtherTypes(evidence)],
    findGap: needsRefusals,
  },
  {
    id: 'create-pet/malformed',
    sentence: 'POST /pets with malformed JSON returns 400.',
    quote: 'The request body is required. Its media type is application/json and its shape is NewPet.',
    tolerated: {
      'malformed JSON':
        'NaN, comments, and other characters for bytes that are not UTF-8; anything else gets 400',
    },
    needs: ['invalid bodies'],
    look: (evidence) => [...lookAtRefusals(evidence, 'malformed'), ...lookAtUnreadable(evidence)],
    findGap: needsRefusals,
  },
  {
    id: 'create-pet/refused-adds-nothing',
    sentence: 'POST /pets adds no animal when it returns 400.',
    quote: 'The body is missing required fields or contains invalid values.',
    needs: ['refused animals', 'lists again', 'last look'],
    look: (evidence) => lookForRefused(evidence, true),
    findGap: needsRefusals,
  },
  {
    id: 'create-pet/unauthorized-adds-nothing',
    sentence: 'POST /pets without a valid key adds no animal.',
    quote: 'The requirement applies to every operation.',
    explainedBy: ['create-pet/missing-key', 'create-pet/invalid-key'],
    needs: ['animals', 'keys', 'last look'],
    look: (evidence) => lookForRefused(evidence, false),
  },
]);

/** What is wrong with a body, as far as the contract says. */
type BodyKind =
  | 'malformed'
  | 'no object'
  | 'no name'
  | 'no categoryId'
  | 'invalid name'
  | 'invalid categoryId'
  | 'invalid status';

function defineRefusals(
  rows: readonly (readonly [id: string, sentence: string, quote: string, kind: BodyKind])[],
) {
  return rows.map(([id, sentence, quote, kind]) => ({
    id: `create-pet/${id}`,
    sentence,
    quote,
    needs: ['invalid bodies' as const],
    ...(kind === 'no categoryId' && { explainedBy: ['create-pet/name-required'] }),
    look: (evidence: Evidence) => lookAtRefusals(evidence, kind),
    findGap: needsRefusals,
  }));
}

/** Lists the additions that were accepted, in the order of their requests. */
export function listAdded({ history }: Evidence): readonly Addition[] {
  return history.additions
    .filter(({ shown, sent }) => shown !== undefined && sent !== undefined)
    .toSorted((one, other) => one.exchange.number - other.exchange.number);
}

/** Lists the additions with a valid body, in the order of their requests. */
function listValid({ history }: Evidence): readonly Addition[] {
  return history.additions
    .filter(({ sent, exchange }) => sent !== undefined && exchange.request.form === undefined)
    .toSorted((one, other) => one.exchange.number - other.exchange.number);
}

/** Returns why no animal was added, if none was. */
export function needsAdditions(evidence: Evidence): Gap | undefined {
  if (listAdded(evidence).length > 0) return undefined;
  const valid = listValid(evidence).map(({ exchange }) => exchange);
  const full = findFullStore(evidence);
  if (full !== undefined) return full;
  const unusable = valid.find(({ isSuccess }) => isSuccess);
  if (unusable !== undefined) {
    const { isAddition, outcome } = unusable;
    return {
      reason: isAddition
        ? 'POST /pets returns no animal with an integer as its id: see create-pet/pet'
        : `POST /pets returns ${outcome} instead of 201: see create-pet/success`,
    };
  }
  const isCategoryKnown =
    evidence.target.categoryId !== undefined || evidence.history.lists.some(({ ids }) => ids.size > 0);
  if (!isCategoryKnown)
    return { reason: 'the category may be unknown. Give an existing one with --category-id.' };
  const reason = 'POST /pets refused every animal, also with the name and the category of a listed one';
  return { reason, cause: 'no animal could be added' };
}

function needsAccepted(looks: readonly Look[], member: string): Gap | undefined {
  return looks.length > 0
    ? undefined
    : { reason: `the deployment accepted no such ${member}, which may conform` };
}

const FORBIDDEN = 403;

function createFullStore({ status, outcome }: Exchange): Gap {
  const reason =
    status === FORBIDDEN
      ? 'the key may not add animals, or the store is full'
      : 'the store is full, or the key may not add animals';
  const cause = status === FORBIDDEN ? 'no right to add animals' : 'full store';
  return { reason: `POST /pets returned ${outcome}: ${reason}`, cause };
}

/** Refusals of a service that refuses every animal show nothing. */
function needsRefusals(evidence: Evidence): Gap | undefined {
  return needsAdditions(evidence);
}

/** Returns why a clause that adds animals has too little to compare, if the store was full or the key may not add animals. */
export function findFullStore(evidence: Evidence): Gap | undefined {
  const { history } = evidence;
  const valid = [...listValid(evidence).map(({ exchange }) => exchange), ...history.unanswered];
  const full = valid.findLast(isRefusedAsFull);
  return full && createFullStore(full);
}

/** Looks at the responses to valid animals: a name or a category may be refused, and the store may be full. */
function lookForCreated(evidence: Evidence): readonly Look[] {
  // A refusal that adds the animal all the same is none.
  const hasAddedAll = new Set(evidence.once(listUnreturned).flatMap(({ sources }) => sources));
  return listValid(evidence).flatMap(({ exchange }) => {
    const { status, isAddition, isSuccess } = exchange;
    if (isAddition) return [compare(exchange, [exchange.animal])];
    // A full store, or a missing right, is said with an Error.
    const isOfGateway = [402, 403, 409].includes(status) && exchange.isPage;
    const isRefusal = status >= 400 && status < 500 && status !== 401 && !isOfGateway;
    if ((isRefusal && !hasAddedAll.has(exchange)) || isRefusedAsFull(exchange)) return [];
    // 5xx for names and categories that might get lost belong to the clauses about those.
    if (!isSuccess && !isPlain(exchange, evidence)) return [];
    const isTogether = exchange.request.isTogether === true;
    const request: RequestSubject | undefined = isTogether ? describeTogether(evidence) : undefined;
    return [sight(exchange, wrongStatus(exchange, 201, request), { subject: 'valid animals' })];
  });
}

function describeTogether({ history }: Evidence): RequestSubject {
  const together = history.additions.filter(({ exchange }) => exchange.request.isTogether === true);
  const failed = together.filter(({ exchange }) => !exchange.isAddition).length;
  return { what: 'at once', failed, of: together.length };
}

/** A name of letters, digits and single marks, with no space at an end. */
const ORDINARY = /^[\w.-][\w .-]{0,98}[\w.-]$/;

/** The members that a service has to accept. */
const members = new Set(['name', 'categoryId', 'status']);

/** Returns whether an animal has a name of the usual form and a category that the deployment has. */
function isPlain({ sent }: Exchange, { history }: Evidence): boolean {
  const { name, categoryId } = sent;
  const isUsual = typeof name === 'string' && ORDINARY.test(name) && history.isMarked({ name });
  return isUsual && typeof categoryId === 'bigint' && categoryId > 0n && categoryId < 2n ** 24n;
}

/** Looks for ordinary animals that were refused, where one with a name at least as long and otherwise alike was added. */
function lookForRefusedAlike(evidence: Evidence): readonly Look[] {
  const valid = listValid(evidence);
  return valid.flatMap(({ exchange, sent }) => {
    if (![400, 422, 406, 415].includes(exchange.status) || sent === undefined) return [];
    if (
      !isPlain(exchange, evidence) ||
      hasNotation(exchange) ||
      Object.keys(sent).some((name) => !members.has(name))
    )
      return [];
    // A status is not required.
    const isWithout =
      sent.status === undefined &&
      !valid.some((one) => one.sent?.status === undefined && one.exchange.isAddition);
    const alike = valid.find(({ exchange: other, sent: its }) => {
      const isAlike = (isWithout || its?.status === sent.status) && its?.categoryId === sent.categoryId;
      const isAsLong = `${its?.name}`.length >= `${sent.name}`.length;
      return (
        other.isAddition && isAlike && isAsLong && isPlain(other, evidence) && !hasSameName(other, exchange)
      );
    });
    if (alike === undefined || wasAddedElsewhere(valid, sent)) return [];
    const mediaType = exchange.request.headers['Content-Type'];
    const isOtherType = mediaType !== 'application/json' && mediaType !== undefined;
    const isNotation = /[\n]/.test(exchange.request.body ?? '');
    const request: RequestSubject | undefined = isOtherType
      ? { what: 'media type', mediaType }
      : isNotation
        ? { what: 'notation' }
        : undefined;
    const suspected =
      request === undefined && !exchange.isPage ? ({ cause: 'refused at random' } as const) : undefined;
    const isOfCase =
      mediaType === 'Application/JSON' || exchange.request.headers['Transfer-Encoding'] !== undefined;
    if (isOfCase) return [];
    return [
      sight(exchange, wrongStatus(exchange, 201, request), {
        subject: 'ordinary animals',
        more: [alike.exchange],
        suspected,
      }),
    ];
  });
}

function hasSameName(one: Exchange, other: Exchange): boolean {
  return one.sent.name === other.sent.name;
}

/** Returns whether an animal with the same name was added, so that a service may refuse it as a twin. */
function wasAddedElsewhere(valid: readonly Addition[], { name }: JsonObject): boolean {
  return valid.some(
    ({ exchange, sent }) => exchange.isAddition && `${sent?.name}`.toLowerCase() === `${name}`.toLowerCase(),
  );
}

/** Looks for a service that refuses every valid animal, also one like an animal that it lists itself. */
function lookForNone(evidence: Evidence): readonly Look[] {
  const { history } = evidence;
  if (history.additions.some(({ exchange }) => exchange.isSuccess)) return [];
  const isLike = (sent: JsonObject) =>
    [...history.animals.values()].some(({ observations }) =>
      observations.some(
        ({ shown }) =>
          shown?.name === sent.name && shown?.categoryId === sent.categoryId && shown?.status === sent.status,
      ),
    );
  const refused = listValid(evidence).find(
    ({ exchange, sent }) => sent !== undefined && [400, 422].includes(exchange.status) && isLike(sent),
  );
  if (refused === undefined) return [];
  const like = [...history.animals.values()].find(({ observations }) =>
    observations.some(({ shown }) => shown?.name === refused.sent?.name),
  );
  const request = { what: 'like a listed animal', id: String(like?.id) } as const;
  return [sight(refused.exchange, wrongStatus(refused.exchange, 201, request), { evidence: 'firm' })];
}

function lookAtEchoes(evidence: Evidence): readonly Look[] {
  const differences = evidence
    .once(findDifferences)
    .filter(({ observation, isUnusual }) => observation.how === 'added' && !isUnusual);
  const mixed = new Set(evidence.once(lookForMixedUp).map(({ exchange }) => exchange));
  const ofStatus = listAdded(evidence).filter(({ sent, shown }) => {
    return isStatus(sent?.status) && sent?.status !== shown?.status;
  });
  return [
    ...listAdded(evidence).map(({ exchange, shown }) => compare(exchange, [shown])),
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
function lookAtKept(evidence: Evidence, member: 'name' | 'categoryId'): readonly Look[] {
  const differences = evidence
    .once(findDifferences)
    .filter(
      (one) => one.member === member && one.isUnusual && !one.isOther && one.observation.how !== 'list',
    );
  const unusual = listAdded(evidence).filter(({ exchange, sent }) =>
    isUnusualValue(exchange, member, sent?.[member]),
  );
  const looks = unusual.map(({ exchange, shown }) => compare(exchange, [shown]));
  const failed = listValid(evidence).filter(({ exchange }) => {
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

/** Looks whether categories of a kind are accepted, if ones are that no animal is likely to have. */
export function lookAtCategories(evidence: Evidence, isMeant: (id: bigint) => boolean): readonly Look[] {
  const { history } = evidence;
  const firstAddition = Math.min(...history.additions.map(({ exchange }) => exchange.at));
  const ofOthers = new Set<unknown>(
    [...history.animals.values()].flatMap(({ observations }) =>
      observations.flatMap(({ exchange, shown }) =>
        exchange.end <= firstAddition ? [shown?.categoryId] : [],
      ),
    ),
  );
  const madeUp = makeUpCategories(ofOthers);
  const valid = listValid(evidence).filter(({ sent }) => typeof sent?.categoryId === 'bigint');
  const categoryOf = ({ sent }: Addition) => sent?.categoryId as bigint;
  const isTaken = (category: bigint) =>
    valid.some((one) => categoryOf(one) === category && one.exchange.isAddition);
  const isHuge = (category: bigint) => BigInt.asIntN(32, category) !== category;
  const areMadeUpTaken = madeUp.every(isTaken);
  // No list of known categories has one beyond 32 bits by chance.
  const proof = valid.filter((one) => {
    const category = categoryOf(one);
    if (!one.exchange.isAddition || category <= 0n || ofOthers.has(category)) return false;
    return areMadeUpTaken ? madeUp.includes(category) : isHuge(category);
  });
  const meant = valid.filter(
    (one) => isMeant(categoryOf(one)) && !ofOthers.has(categoryOf(one)) && !hasNotation(one.exchange),
  );
  const accepted = proof.map((one) => String(categoryOf(one)));
  return meant.flatMap((one) => {
    const { exchange } = one;
    const isRefused =
      [400, 404, 409, 422].includes(exchange.status) || isServerFault(exchange, evidence.target.now);
    // Another name with the category may have been accepted.
    if (!isRefused || proof.length === 0 || isTaken(categoryOf(one))) return [compare(exchange)];
    const hasOtherName = valid.some(
      (other) =>
        other !== one && categoryOf(other) === categoryOf(one) && isPlainName(other.exchange, evidence),
    );
    if (!isPlainName(exchange, evidence) && hasOtherName) return [];
    const value = String(categoryOf(one));
    const request = {
      what: 'member',
      member: 'categoryId',
      value,
      accepted: [...new Set(accepted)],
    } as const;
    return [
      sight(exchange, wrongStatus(exchange, 201, request), {
        subject: 'categories',
        before: proof.map((each) => each.exchange),
      }),
    ];
  });
}

/** Returns whether a category is written as in 1.0 or 1e2. */
function hasNotation({ request }: Exchange): boolean {
  return /"categoryId"\s*:\s*-?\d+[.eE]/.test(request.body ?? '');
}

function isPlainName({ sent: { name } }: Exchange, { history }: Evidence): boolean {
  return typeof name === 'string' && ORDINARY.test(name) && history.isMarked({ name });
}

/** Looks whether each status is accepted and kept: an added animal is shown at once with the status that it was added with. */
function lookAtStatuses(evidence: Evidence): readonly Look[] {
  const { history } = evidence;
  const valid = listValid(evidence).filter(({ exchange }) => isPlain(exchange, evidence));
  const isAnyAdded = valid.some(({ exchange, sent }) => exchange.isAddition && sent?.status === undefined);
  const isEverAdded = (status: unknown) =>
    valid.some(({ exchange, sent }) => exchange.isAddition && sent?.status === status);
  const refused = valid.filter(
    ({ exchange, sent }) =>
      sent?.status !== undefined &&
      [400, 422].includes(exchange.status) &&
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
  // Where several animals of the run have gone through three statuses, others change them all.
  const areChanged =
    alone.filter(({ observations }) => hasThreeStatuses(observations)).length >= SEVERAL_CHANGED;
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

/** So many animals of the run that have had three statuses are changed by others. */
const SEVERAL_CHANGED = 3;

/** How many responses show whether the status of an animal was kept. */
const LOOKS_AT_STATUS = 2;

/** How many requests later others have hardly changed the status that an animal was added with. */
const SHORTLY = 3;

function lookAtStatusOf(
  { addition, observations, isShared, id }: Animal,
  showsStatuses: (how: Observation['how']) => boolean,
  areChanged: boolean,
): Look[] {
  const sent = addition?.sent?.status;
  // What an omitted status becomes is not specified, nor when.
  if (addition?.shown === undefined || sent === undefined || isShared) return [];
  const { exchange: posted, shown } = addition;
  const later = observations.filter(({ how, exchange, shown: one }) => {
    const isShown = one?.status !== undefined || (one !== undefined && showsStatuses(how));
    return how !== 'added' && isShown && exchange.at >= posted.end;
  });
  // What the 201 has changed already belongs to create-pet/echoes.
  if (later.length === 0 || shown.status !== sent) return [];
  const [first] = later;
  // Where it changes on, others change it.
  const isChanging = areChanged || later.some((one) => one.shown?.status !== first?.shown?.status);
  const isTogether = posted.request.isTogether === true;
  return later.slice(0, LOOKS_AT_STATUS).map(({ exchange, shown: one, how }) => {
    if (one?.status === sent) return compare(exchange, [one]);
    const isShortly = !isChanging && (isTogether || exchange.number - posted.number <= SHORTLY);
    return sight(
      exchange,
      {
        kind: 'member',
        member: 'status',
        expected: toJsonText(sent),
        received: toJsonText(one?.status),
        compared: how === 'list' ? 'in the list' : 'by its id',
        id: String(id),
      },
      {
        subject: `status ${sent}`,
        evidence: isShortly ? 'seen' : 'to be asked again',
        excuse: isShortly ? undefined : 'changed by others',
        ask: [toAgain(posted), toAgain(exchange)],
        about: [id],
        before: [posted],
      },
    );
  });
}

function lookAtIds(evidence: Evidence): readonly Look[] {
  const { history } = evidence;
  const added = listAdded(evidence);
  return added.map((addition) => {
    const { exchange, shown, sent } = addition;
    const id = shown?.id ?? 0n;
    // Another clause is about ids that were sent.
    if (sent?.id === id) return compare(exchange);
    const others = history.animals.get(id)?.observations ?? [];
    const wasListed = others.some(
      ({ exchange: other, shown: one }) =>
        one !== undefined && other !== exchange && other.end < exchange.at && !other.isAddition,
    );
    const twin = added.find(
      (other) => other !== addition && other.shown?.id === id && other.exchange.number < exchange.number,
    );
    if (twin === undefined && !wasListed) return compare(exchange, [shown]);
    const idProblem = twin === undefined ? 'of a listed animal' : 'of another new animal';
    const isEqual = twin?.exchange.request.body === exchange.request.body;
    return sight(
      exchange,
      { kind: 'id', idProblem, received: String(id) },
      {
        subject: 'ids',
        about: [id],
        ask: [],
        ...(twin !== undefined && { before: [twin.exchange] }),
        ...(isEqual && twin !== undefined && { suspected: { cause: 'earlier response repeated' } }),
      },
    );
  });
}

/** Looks for values of another animal that was added at once. A value that is also wrong when an animal is added alone is no such one. */
function lookForMixedUp(evidence: Evidence): readonly Look[] {
  const added = listAdded(evidence);
  const together = added.filter(({ exchange }) => exchange.request.isTogether === true);
  return together.flatMap(({ exchange, sent = {}, shown = {} as JsonObject }) =>
    (['name', 'categoryId', 'status'] as const).flatMap((member) => {
      const [expected, received] = [sent[member], shown[member]];
      const other = together.find((one) => received !== undefined && one.sent?.[member] === received);
      if (expected === undefined || received === expected || other === undefined) return [];
      const isWrongAlone = added.some(
        (one) =>
          one.exchange.request.isTogether !== true &&
          one.sent?.[member] === expected &&
          one.shown?.[member] !== expected,
      );
      if (member !== 'name' && isWrongAlone) return [];
      const values = { expected: showValue(expected), received: showValue(received) };
      return [
        sight(
          exchange,
          { kind: 'mixed up', member, ...values },
          { subject: 'mixed up', before: [other.exchange], ask: [] },
        ),
      ];
    }),
  );
}

function lookAtOwnIds(evidence: Evidence): readonly Look[] {
  const { history } = evidence;
  const sentOwn = history.additions.filter(({ sent }) => typeof sent?.id === 'bigint');
  return sentOwn.map(({ exchange, sent, shown }) => {
    const id = sent?.id as bigint;
    const fault = { kind: 'id', idProblem: 'from the body', received: String(id) } as const;
    if (shown?.id === id) return sight(exchange, fault, { about: [id], ask: [] });
    // The id may be kept although the response shows another.
    const kept = history.fetches.find(
      (one) => one.id === id && one.exchange.at >= exchange.end && one.shown?.name === sent?.name,
    );
    if (kept === undefined || !exchange.isAddition || history.isKnown(id, exchange.at))
      return compare(exchange);
    return sight(kept.exchange, fault, { about: [id], ask: [], before: [exchange] });
  });
}

/** How far the id of a twin may be from that of the animal. */
const FARTHEST_TWIN = 100n;

/** Looks for animals of this run that no 201 returned, although a 201 returned one with the same name: they were added twice. */
function lookForTwice(evidence: Evidence): readonly Look[] {
  return evidence.once(listUnreturned).flatMap(({ animal, shown, exchange, sources }) => {
    const [added] = sources.filter(({ isAddition }) => isAddition);
    const first = added?.id;
    if (added === undefined || first === undefined) return [];
    // An id that only looks like that of the animal is left to get-pet/unknown-is-404.
    const isFar = animal.id > first + FARTHEST_TWIN || animal.id < first - FARTHEST_TWIN;
    if (isFar && !exchange.isList) return [];
    const ids = [String(first), showValue(shown.id)];
    return [
      sight(
        exchange,
        { kind: 'duplicate', ids, where: exchange.isList ? 'list' : 'run' },
        {
          subject: 'added twice',
          about: [first, animal.id],
          before: [added],
        },
      ),
    ];
  });
}

/** An animal with a name or a category of this run that no 201 has returned. */
interface Unreturned {
  readonly animal: Animal;
  readonly shown: JsonObject;
  readonly exchange: Exchange;
  /** The POSTs that sent its name or its category. */
  readonly sources: readonly Exchange[];
}

/** Finds the animals of this run that no 201 has returned: added twice, or by a body that was refused. */
function listUnreturned(evidence: Evidence): readonly Unreturned[] {
  const { history } = evidence;
  const posts = evidence
    .once(listAll)
    .filter(({ request, path }) => request.method === 'POST' && path === '/pets');
  const returned = new Set(posts.flatMap(({ isAddition, id }) => (isAddition ? [id] : [])));
  return [...history.animals.values()].flatMap((animal) => {
    if (returned.has(animal.id)) return [];
    const seen = animal.observations.find(({ shown }) => shown !== undefined && history.isMarked(shown));
    if (seen?.shown === undefined) return [];
    const { shown, exchange } = seen;
    const sources = posts.filter((post) => isSource(post, shown, evidence));
    // A POST without a response of the service may have added it.
    const isUncertain = sources.some((post) => post.isUncertain || post.status >= 500);
    return isUncertain || sources.length === 0 ? [] : [{ animal, shown, exchange, sources }];
  });
}

function isSource(
  { request: { body = '' }, sent }: Exchange,
  { name, categoryId }: JsonObject,
  { history }: Evidence,
): boolean {
  if (history.marks.categories.has(categoryId)) return sent.categoryId === categoryId;
  return typeof name === 'string' && body.toLowerCase().includes(name.toLowerCase());
}

/** Looks for animals of bodies that were refused. @param isAuthorized whether these were sent with the valid key */
function lookForRefused(evidence: Evidence, isAuthorized: boolean): readonly Look[] {
  const { target } = evidence;
  const posts = evidence
    .once(listAnswered)
    .filter(({ request, path }) => request.method === 'POST' && path === '/pets');
  const refused = posts.filter(
    (post) =>
      hasValidKey(post, target) === isAuthorized && (isAuthorized ? post.status === 400 : !post.isSuccess),
  );
  const added = evidence.once(listUnreturned).flatMap(({ animal, shown, sources }) => {
    const [source] = sources.filter((post) => refused.includes(post));
    if (source === undefined || sources.some(({ isSuccess }) => isSuccess)) return [];
    const fault = { kind: 'added', id: showValue(shown.id), name: showValue(shown.name) } as const;
    return [sight(source, fault, { subject: 'refused', about: [animal.id], ask: [] })];
  });
  const open = isAuthorized ? [] : posts.filter((post) => !hasValidKey(post, target) && post.isAddition);
  return [
    ...refused.map((exchange) => compare(exchange)),
    ...open.map((exchange) =>
      sight(exchange, wrongStatus(exchange, 401), { subject: 'added without a key', ask: [] }),
    ),
    ...added,
  ];
}

function lookAtListed(evidence: Evidence): readonly Look[] {
  const differences = evidence
    .once(findDifferences)
    .filter(({ observation, animal }) => observation.how === 'list' && animal.addition !== undefined);
  return [
    ...compareLists(evidence, ({ query }) => query.limit === LARGEST_LIMIT),
    ...differences
      // What the 201 has changed already is left to the clauses about it.
      .filter(
        ({ animal, member, observation }) => animal.addition?.shown?.[member] !== observation.shown[member],
      )
      .map((one) => sightDifference(one, 'in the list', `${one.member} in lists`)),
  ];
}

/** Bodies up to this length may not be refused for their size, in characters. */
const LARGE_BODY = 200;

/** Finds what is wrong with a body. Undefined if nothing is, or if the request is unusual in another way. */
function findBodyKind({ request }: Exchange): BodyKind | undefined {
  const { body, headers, form, encoding } = request;
  const isPlain = headers['Content-Type'] === 'application/json' && headers['Content-Encoding'] === undefined;
  if (body === undefined || !isPlain || form !== undefined || encoding !== undefined) return undefined;
  if (body === '') return 'no object';
  const value = parse(body);
  if (value === undefined) return 'malformed';
  if (!isJsonObject(value)) return 'no object';
  const { name, categoryId, status } = value;
  if (isNewPet(value)) return undefined;
  if (name === undefined) return 'no name';
  if (categoryId === undefined) return 'no categoryId';
  if (typeof name !== 'string') return 'invalid name';
  if (status !== undefined && !isStatus(status)) return 'invalid status';
  return 'invalid categoryId';
}

function parse(body: string) {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}

function lookAtRefusals(evidence: Evidence, kind: BodyKind): readonly Look[] {
  const { history, target } = evidence;
  const isCategoryKnown =
    target.categoryId !== undefined ||
    [...history.animals.values()].some(({ observations }) =>
      observations.some(({ shown }) => typeof shown?.categoryId === 'bigint'),
    );
  return history.additions.flatMap(({ exchange }) => {
    if (findBodyKind(exchange) !== kind) return [];
    const {
      status,
      request: { body = '' },
    } = exchange;
    // Without an animal the category may be unknown, which may have another status.
    const isUnknown = history.marks.categories.has(exchange.sent.categoryId);
    const isOfUnknown = isUnknown || (!isCategoryKnown && /"categoryId":1[,}]/.test(body));
    const isPerhapsUnknown = isOfUnknown && status > 401 && status < 500;
    const isOfFullStore = isRefusedAsFull(exchange) && findFullStore(evidence) !== undefined;
    if (isPerhapsUnknown || isOfFullStore) return [];
    const isMet = status === 400 || (status === 413 && body.length > LARGE_BODY);
    const look = lookAtStatus(exchange, 400, isMet, { what: 'body', body: exchange.shorten(body) });
    return ['fault' in look ? { ...look, subject: kind } : look];
  });
}

/** Looks at requests without a body, and with one of another media type. */
function lookAtOtherTypes({ history }: Evidence): readonly Look[] {
  return history.additions.flatMap(({ exchange }) => {
    const { body, headers } = exchange.request;
    const isOther = body === '{}' && headers['Content-Type'] === 'text/plain';
    if (body !== undefined && !isOther) return [];
    return [lookAtStatus(exchange, '4xx', exchange.status >= 400 && exchange.status < 500)];
  });
}

/** Looks at bodies that are not plain text in UTF-8: they get no 5xx, and are no NewPet. */
function lookAtUnreadable({ history }: Evidence): readonly Look[] {
  return history.additions.flatMap(({ exchange }) => {
    const { form } = exchange.request;
    if (form !== 'a byte order mark' && form !== 'bytes that are not UTF-8') return [];
    return [
      lookAtStatus(exchange, '4xx', exchange.status >= 400 && exchange.status < 500, { what: 'form', form }),
    ];
  });
}
