import { createReply, type Reply } from '../../common/http/reply.ts';
import { type ExactJson, printExactJson } from '../../common/json/exact-json.ts';
import type { Pet } from '../../common/json/pet.ts';
import type { Answer } from './types.ts';

/** The JSON of animals, which never change. */
const texts = new WeakMap<object, string>();

/** Prints an answer as the response. Source: openapi.yaml#/components/schemas */
export function printAnswer({ status, headers, value, error, errorMembers, text }: Answer): Reply {
  const others = error === undefined ? {} : { error };
  if (text !== undefined) return { ...createReply(status, text, headers), ...others };
  if (value === undefined && error === undefined) return { status, headers, body: '' };
  const printed = error && { code: error.code, message: error.message, status, ...errorMembers };
  return { ...createReply(status, printed ? printObject(printed) : printValue(value), headers), ...others };
}

function printValue(value: Answer['value']): string {
  return Array.isArray(value) ? `[${value.map(printOnce).join(',')}]` : printOnce(Object(value));
}

export function printPet(pet: Pet): string {
  return printOnce(pet);
}

function printOnce(value: object): string {
  const text = texts.get(value) ?? printObject(value);
  texts.set(value, text);
  return text;
}

/** Prints by hand, because a replacer for the bigints takes several times as long. */
function printObject(value: object): string {
  const members = Object.entries(value).map(([name, member]) => {
    return `${JSON.stringify(name)}:${printMember(member)}`;
  });
  return `{${members.join(',')}}`;
}

function printMember(member: unknown): string {
  if (typeof member === 'bigint') return String(member);
  return typeof member === 'object' ? printExactJson(member as ExactJson) : JSON.stringify(member);
}
