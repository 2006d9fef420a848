import type { Behaviour, ChoiceName } from '../../common/behaviour/choices.ts';
import type { ExactJson, JsonObject } from '../../common/json/exact-json.ts';
import { parseInt64 } from '../../common/json/int64.ts';
import type { BehaviourSource } from './behaviour-source.ts';
import { findProblems, newPetNames } from './pet-members.ts';

/** A habit that breaks the contract, as a change of a body. */
interface Habit {
  readonly choice: ChoiceName;
  readonly value: Behaviour[ChoiceName];
  /** Returns the same object if the habit changes nothing. */
  readonly change: (body: JsonObject) => JsonObject;
}

/** In an order in which each one decides about members that the earlier ones have left. */
const habits: readonly Habit[] = [
  { choice: 'memberCase', value: 'any', change: renameMembers },
  { choice: 'nullStatus', value: 'accepted', change: leaveOutNullStatus },
  { choice: 'categoryIdAsText', value: 'accepted', change: readCategoryId },
  { choice: 'spacesAroundNames', value: 'trimmed', change: trimName },
];

/** Changes the body of createPet as the habits of the behaviour read it. */
export function applyHabits(body: JsonObject, source: BehaviourSource): JsonObject {
  let read = body;
  for (const { choice, value, change } of habits) {
    if (source.behaviour[choice] !== value) continue;
    const changed = change(read);
    const problems = describeProblems(changed);
    // A body may be refused for another member with the same message.
    const isDecisive = problems === '' || problems !== describeProblems(read);
    if (changed !== read && isDecisive) source.noteActed(choice);
    read = changed;
  }
  return read;
}

function describeProblems(body: JsonObject): string {
  const problems = findProblems(body, newPetNames);
  return problems.map(({ message }) => message).join(' ');
}

function renameMembers(body: JsonObject): JsonObject {
  const renamed = Object.entries(body).map(([name, value]): [string, ExactJson] => {
    const known = newPetNames.find((one) => one.toLowerCase() === name.toLowerCase());
    return [known === undefined || Object.hasOwn(body, known) ? name : known, value];
  });
  const isSame = renamed.every(([name]) => Object.hasOwn(body, name));
  return isSame ? body : Object.fromEntries(renamed);
}

function leaveOutNullStatus(body: JsonObject): JsonObject {
  if (body.status !== null) return body;
  const { status: _, ...others } = body;
  return others;
}

function readCategoryId(body: JsonObject): JsonObject {
  const { categoryId } = body;
  const integer = typeof categoryId === 'string' ? parseInt64(categoryId) : undefined;
  return integer === undefined ? body : { ...body, categoryId: integer };
}

function trimName(body: JsonObject): JsonObject {
  const { name } = body;
  if (typeof name !== 'string' || name === name.trim()) return body;
  return { ...body, name: name.trim() };
}
