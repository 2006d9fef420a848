import type { JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import { showValue } from '../client/show-value.ts';
import type { RequestSubject } from '../failures/failure.ts';
import type { Addition } from '../history/history.ts';
import { isSameValue } from '../history/member-values.ts';
import { makeUpCategories } from '../requests/animals.ts';
import { hasNotation, isPlain, isPlainName, listAdded, listValid } from './additions.ts';
import type { Evidence, Look } from './rule.ts';
import { compare, isRefusedAsFull, isServerFault, sight, wrongStatus } from './sight.ts';
import { listUnreturned } from './unreturned.ts';

/** Looks at the responses to valid animals: a name or a category may be refused, and the store may be full. */
export function lookForCreated(evidence: Evidence): readonly Look[] {
  // A refusal that adds the animal all the same is none.
  const hasAddedAll = new Set(evidence.once(listUnreturned).flatMap(({ sources }) => sources));
  return evidence.once(listValid).flatMap(({ exchange }) => {
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

/** Looks for ordinary animals that were refused, where one with a name at least as long and otherwise alike was added. */
export function lookForRefusedAlike(evidence: Evidence): readonly Look[] {
  const valid = evidence.once(listValid);
  const members = new Set(evidence.history.contract.newPet.map(({ name }) => name));
  return valid.flatMap(({ exchange, sent }) => {
    // These are about the headers of a request, whatever the name is.
    const isForHeaders = [406, 415].includes(exchange.status);
    if (!isForHeaders && !(isRefusedForItself(exchange, valid) && isPlain(exchange, evidence))) return [];
    if (sent === undefined || Object.keys(sent).some((name) => !members.has(name))) return [];
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
    if (alike === undefined || isTwin(exchange, valid)) return [];
    const mediaType = exchange.request.headers['Content-Type'];
    // The recommendations about media types and chunks have these.
    if (mediaType === 'Application/JSON' || exchange.request.headers['Transfer-Encoding'] !== undefined)
      return [];
    const isOtherType = mediaType !== 'application/json' && mediaType !== undefined;
    const isNotation = /[\n]/.test(exchange.request.body ?? '');
    const request: RequestSubject | undefined = isOtherType
      ? { what: 'media type', mediaType }
      : isNotation
        ? { what: 'notation' }
        : undefined;
    return [
      sight(exchange, wrongStatus(exchange, 201, request), {
        subject: 'ordinary animals',
        more: [alike.exchange],
      }),
    ];
  });
}

/**
 * Returns whether an animal was refused for what it is. Another status than those of invalid bodies may mean a full store, a missing
 * right or an animal that is being added, but not if an animal that was sent later was added.
 */
export function isRefusedForItself(
  { status, request, end, hasError, retryAfter }: Exchange,
  valid: readonly Addition[],
): boolean {
  if ([400, 422].includes(status)) return true;
  if (![403, 404, 409].includes(status) || !hasError || retryAfter !== undefined) return false;
  if (request.isTogether === true) return false;
  return valid.some(({ exchange: other }) => other.isAddition && other.at >= end);
}

function hasSameName(one: Exchange, other: Exchange): boolean {
  return one.sent.name === other.sent.name;
}

/** Returns whether an animal with the same name was added before the response, so that a service may refuse this one as a twin. */
function isTwin({ sent, end }: Exchange, valid: readonly Addition[]): boolean {
  const toPlain = ({ name }: JsonObject) => `${name}`.toLowerCase();
  return valid.some(
    ({ exchange: other }) => other.isAddition && other.at < end && toPlain(other.sent) === toPlain(sent),
  );
}

/** Looks for a service that refuses every valid animal, also one like an animal that it lists itself. */
export function lookForNone(evidence: Evidence): readonly Look[] {
  const { history } = evidence;
  if (history.additions.some(({ exchange }) => exchange.isSuccess)) return [];
  const isLike = (sent: JsonObject) =>
    [...history.animals.values()].some(({ observations }) =>
      observations.some(({ shown }) =>
        history.contract.newPet.every((member) =>
          isSameValue(member, shown?.[member.name], sent[member.name]),
        ),
      ),
    );
  const refused = evidence
    .once(listValid)
    .find(({ exchange, sent }) => sent !== undefined && [400, 422].includes(exchange.status) && isLike(sent));
  if (refused === undefined) return [];
  const like = [...history.animals.values()].find(({ observations }) =>
    observations.some(({ shown }) => shown?.name === refused.sent?.name),
  );
  const request = { what: 'like a listed animal', id: String(like?.id) } as const;
  return [sight(refused.exchange, wrongStatus(refused.exchange, 201, request), { evidence: 'firm' })];
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
  const valid = evidence.once(listValid).filter(({ sent }) => typeof sent?.categoryId === 'bigint');
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
  const taken = history.additions.filter(({ exchange }) => exchange.isAddition);
  const isNameTaken = ({ exchange }: Addition) =>
    taken.some(
      ({ exchange: other }) =>
        hasSameName(other, exchange) || (isPlainName(exchange, evidence) && isPlainName(other, evidence)),
    );
  const lastTaken = Math.max(...taken.map(({ exchange }) => exchange.at));
  const isOfFull = (one: Exchange) => one.end >= lastTaken && isRefusedAsFull(one);
  // A store that is full refuses plain animals too.
  const isFull = valid.some(({ exchange }) => isOfFull(exchange) && isPlain(exchange, evidence));
  return meant.flatMap((one) => {
    const { exchange } = one;
    if (isFull && isOfFull(exchange)) return [];
    const isRefused =
      [400, 404, 409, 422].includes(exchange.status) || isServerFault(exchange, evidence.target.now);
    // Another name with the category may have been accepted.
    if (!isRefused || proof.length === 0 || isTaken(categoryOf(one))) return [compare(exchange)];
    // It may have been refused for its name.
    if (exchange.status < 500 && !isNameTaken(one)) return [];
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

export function lookAtIds(evidence: Evidence): readonly Look[] {
  const { history } = evidence;
  const added = evidence.once(listAdded);
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
    const isRounded = !Number.isSafeInteger(Number(id)) && BigInt(Number(id)) === id;
    const cause = isRounded ? 'rounded to a double' : isEqual ? 'earlier response repeated' : undefined;
    return sight(
      exchange,
      { kind: 'id', idProblem, received: String(id) },
      {
        subject: 'ids',
        about: [id],
        ask: [],
        ...(twin !== undefined && { before: [twin.exchange] }),
        ...(cause !== undefined && twin !== undefined && { suspected: { cause } }),
      },
    );
  });
}

/** Looks for values of another animal that was added at once. A value that is also wrong when an animal is added alone is no such one. */
export function lookForMixedUp(evidence: Evidence): readonly Look[] {
  const added = evidence.once(listAdded);
  const together = added.filter(({ exchange }) => exchange.request.isTogether === true);
  return together.flatMap(({ exchange, sent = {}, shown = {} as JsonObject }) =>
    evidence.history.contract.newPet.flatMap(({ name: member, values: few }) => {
      const [expected, received] = [sent[member], shown[member]];
      const other = together.find((one) => received !== undefined && one.sent?.[member] === received);
      if (expected === undefined || received === expected || other === undefined) return [];
      const isWrongAlone = added.some(
        (one) =>
          one.exchange.request.isTogether !== true &&
          one.sent?.[member] !== undefined &&
          // Each value of a few is as good as another.
          (few !== undefined || one.sent[member] === expected) &&
          one.shown?.[member] !== one.sent[member],
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

export function lookAtOwnIds(evidence: Evidence): readonly Look[] {
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
