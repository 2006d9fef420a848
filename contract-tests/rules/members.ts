import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import type { Exchange } from '../client/exchange.ts';
import { toJsonText } from '../client/show-value.ts';
import type { ComparedWith, MemberFault } from '../failures/failure.ts';
import type { Animal, Observation } from '../history/history.ts';
import type { Evidence } from './rule.ts';

/** The members of an animal that no operation changes. */
export const fixedMembers = ['name', 'categoryId'] as const;

/** The character that decoders write for what is no character. */
const REPLACEMENT = '\ufffd';

/** Returns whether two values are equal. UTF-8 has no half of a surrogate pair, so that U+FFFD or ? may replace it. */
export function isSameValue(one: ExactJson | undefined, other: ExactJson | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const [first, second] = [one.toWellFormed(), other.toWellFormed()];
  const isReplaced = `${first}${second}`.includes(REPLACEMENT);
  return isReplaced && first.replaceAll('?', REPLACEMENT) === second.replaceAll('?', REPLACEMENT);
}

/** A member of an animal in a response that is another one than it was sent, or shown before. */
export interface Difference {
  readonly animal: Animal;
  readonly member: 'name' | 'categoryId';
  readonly observation: Observation & { readonly shown: JsonObject };
  /** How the member should be. */
  readonly expected: ExactJson | undefined;
  /** The response that shows how it should be; of an own animal how it was added. */
  readonly shownBy: Exchange;
  /** Whether the animal was added by this run with a value that might get lost. */
  readonly isUnusual: boolean;
  /** Whether the same request has shown the right value too. */
  readonly isContradicted: boolean;
  /** Whether the name is that of another animal of this run, although the response to the addition showed the right one. */
  readonly isOther: boolean;
}

/** Finds all differences in names and categories: each belongs to one clause. */
export function findDifferences({ history }: Evidence): readonly Difference[] {
  const sent = new Map(history.additions.map(({ sent: body, shown }) => [body?.name, shown?.id]));
  const all = [...history.animals.values()].filter(({ isShared }) => !isShared);
  return all.flatMap((animal) => findOfAnimal(animal, sent));
}

/** @param sent the names that this run has sent, with the ids that the animals were given */
function findOfAnimal(animal: Animal, sent: ReadonlyMap<unknown, bigint | undefined>): Difference[] {
  const shows = animal.observations.filter(isShown);
  const { addition } = animal;
  const [first] = shows;
  if (first === undefined) return [];
  const truth = addition?.sent ?? first.shown;
  const shownBy = addition?.exchange ?? first.exchange;
  return fixedMembers.flatMap((member) => {
    const expected = truth[member];
    // A member that is not there belongs to the clauses about schemas.
    if (expected === undefined) return [];
    const wrong = shows.filter(({ shown }) => !isSameValue(shown[member], expected));
    return wrong.map((observation): Difference => {
      const { path } = observation.exchange;
      const isContradicted = shows.some(
        ({ exchange, shown }) => exchange.path === path && isSameValue(shown[member], expected),
      );
      const isUnusual = addition !== undefined && isUnusualValue(addition.exchange, member, expected);
      const owner = sent.get(observation.shown.name);
      const wasEchoed = isSameValue(addition?.shown?.[member], expected);
      const isOther = wasEchoed && owner !== undefined && owner !== animal.id;
      return { animal, member, observation, expected, shownBy, isUnusual, isContradicted, isOther };
    });
  });
}

function isShown(observation: Observation): observation is Observation & { readonly shown: JsonObject } {
  return observation.shown !== undefined;
}

/** Returns whether a value that was sent might get lost: a name beyond ordinary letters, a category that is no ordinary number. */
export function isUnusualValue({ request }: Exchange, member: string, value: ExactJson | undefined): boolean {
  if (member === 'name')
    return typeof value !== 'string' || !/^[\w.-][\w .-]{0,98}[\w.-]$/.test(value) || isWhole(value);
  const hasNotation = /"categoryId"\s*:\s*-?\d+[.eE]/.test(request.body ?? '');
  return hasNotation || typeof value !== 'bigint' || value < 1n || value >= 2n ** 24n;
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
