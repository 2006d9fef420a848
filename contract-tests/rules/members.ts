import type { AnimalFacts, Member } from '../../common/json/animal-facts.ts';
import type { ExactJson } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import { toJsonText } from '../client/show-value.ts';
import type { ComparedWith, MemberFault } from '../failures/failure.ts';
import { type Animal, isShown, type ShownObservation } from '../history/history.ts';
import { isSameValue, STATUS } from '../history/member-values.ts';
import { hasNotation, ORDINARY_NAME } from './additions.ts';
import type { Evidence } from './rule.ts';

/** Lists the members of an animal that nobody changes: all but the id, by which animals are compared, and the status. */
function listFixedMembers({ pet }: AnimalFacts): readonly Member[] {
  return pet.filter(({ name }) => name !== 'id' && name !== STATUS);
}

/** A member of an animal in a response that is another one than it was sent, or shown before. */
export interface Difference {
  readonly animal: Animal;
  readonly member: string;
  readonly observation: ShownObservation;
  /** How the member should be. Undefined if the animal should not have it. */
  readonly expected: ExactJson | undefined;
  /** The response that shows how it should be; of an own animal how it was added. */
  readonly shownBy: Exchange;
  /** Whether the animal was added by this run with a value that might get lost. */
  readonly isUnusual: boolean;
  /** Whether the same request has shown the right value too. */
  readonly isContradicted: boolean;
  /** Whether the response to the addition of the animal has already shown it in this way. */
  readonly isAsAdded: boolean;
  /** Whether the name is that of another animal of this run, although the response to the addition showed the right one. */
  readonly isOther: boolean;
}

/** Finds all differences in members that nobody changes: each belongs to one clause. */
export function findDifferences({ history }: Evidence): readonly Difference[] {
  const sent = new Map(history.additions.map(({ sent: body, shown }) => [body?.name, shown?.id]));
  const all = [...history.animals.values()].filter(({ isShared }) => !isShared);
  const members = listFixedMembers(history.contract);
  return all.flatMap((animal) => findOfAnimal(animal, members, sent));
}

/** @param sent the names that this run has sent, with the ids that the animals were given */
function findOfAnimal(
  animal: Animal,
  members: readonly Member[],
  sent: ReadonlyMap<unknown, bigint | undefined>,
): Difference[] {
  const shows = animal.observations.filter(isShown);
  const { addition } = animal;
  const [first] = shows;
  if (first === undefined) return [];
  const shownBy = addition?.exchange ?? first.exchange;
  return members.flatMap((fixed) => {
    const { name: member, isRequired } = fixed;
    // What was not sent, the response to the addition shows first.
    const expected = addition?.sent?.[member] ?? (addition?.shown ?? first.shown)[member];
    // A required member that is not there belongs to the clauses about schemas.
    if (expected === undefined && isRequired) return [];
    const isRight = (value: ExactJson | undefined) => isSameValue(fixed, value, expected);
    const wrong = shows.filter(({ shown }) => !isRight(shown[member]));
    return wrong.map((observation): Difference => {
      const { path } = observation.exchange;
      const isContradicted = shows.some(
        ({ exchange, shown }) => exchange.path === path && isRight(shown[member]),
      );
      const isUnusual = addition !== undefined && isUnusualValue(addition.exchange, member, expected);
      const owner = sent.get(observation.shown.name);
      const added = addition?.shown?.[member];
      const isOther = isRight(added) && owner !== undefined && owner !== animal.id;
      const isAsAdded = addition !== undefined && isSameValue(fixed, added, observation.shown[member]);
      return {
        animal,
        member,
        observation,
        expected,
        shownBy,
        isUnusual,
        isContradicted,
        isAsAdded,
        isOther,
      };
    });
  });
}

/** Returns whether a value that was sent might get lost: a name beyond ordinary letters, a category that is no ordinary number. */
export function isUnusualValue(exchange: Exchange, member: string, value: ExactJson | undefined): boolean {
  if (member === 'name') return typeof value !== 'string' || !ORDINARY_NAME.test(value) || isWhole(value);
  if (member !== 'categoryId') return false;
  return hasNotation(exchange) || typeof value !== 'bigint' || value < 1n || value >= 2n ** 24n;
}

/** Returns whether a name could be read as another type: a number, a date, a word such as null. */
function isWhole(name: string): boolean {
  return !name.includes(' ') && !/[a-zA-Z]{8}/.test(name);
}

/** Creates the fault of a difference. @param compared what the member is compared with */
export function describeDifference(
  { animal, member, expected, observation }: Difference,
  compared: ComparedWith,
): MemberFault {
  return {
    kind: 'member',
    member,
    expected: toJsonText(expected),
    received: toJsonText(observation.shown[member]),
    compared,
    id: toJsonText(animal.id),
  };
}
