import { type FurtherMembers, isMemberName, type MemberType } from '../behaviour/further-members.ts';
import { mergeTypes, typeOf } from '../behaviour/member-types.ts';
import type { Exchange } from './exchange.ts';
import { type FinishedRun, NOT_SHOWN, type Observation } from './finished-run.ts';

/** Observes the further members that all Errors have. Those that only some have are no part of the value. */
export function observeErrorMembers(run: FinishedRun, errors: readonly Exchange[]): Observation {
  const [first] = errors;
  if (first === undefined) return { unknown: NOT_SHOWN };
  const members: Record<string, MemberType> = {};
  for (const name of furtherOf(first)) {
    if (!errors.every(({ object = {} }) => Object.hasOwn(object, name))) continue;
    const type = findType(errors, name);
    if (type === undefined) return { unknown: 'responses differ' };
    members[name] = type;
  }
  const names = Object.keys(members);
  // Without a member of all Errors, no value describes those of some.
  if (names.length === 0 && errors.some((one) => furtherOf(one).length > 0))
    return { unknown: 'responses differ' };
  const isSafe = (name: string) => isMemberName(name) && run.hide(name) === name;
  return { value: names.every(isSafe) ? toListed(members) : '{other}', evidence: errors.slice(0, 2) };
}

function furtherOf({ object = {} }: Exchange): string[] {
  return Object.keys(object).filter((name) => !/^(?:code|message|status)$/.test(name));
}

/** Returns the type of a member that all Errors have, or undefined if it differs. */
function findType(errors: readonly Exchange[], name: string): MemberType | undefined {
  let type: MemberType = 'null';
  for (const { object = {} } of errors) {
    const merged = mergeTypes(type, typeOf(object[name]));
    if (merged === undefined) return undefined;
    type = merged;
  }
  return type;
}

/** Returns the listed value that has these members, if there is one. */
function toListed(members: FurtherMembers): FurtherMembers | string {
  const listed: Readonly<Record<string, string>> = {
    '{}': 'none',
    '{"details":"array","traceId":"string"}': 'some',
  };
  return listed[JSON.stringify(members)] ?? members;
}
