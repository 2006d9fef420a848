import { type ExactJson, isJsonObject } from '../json/exact-json.ts';
import type { MemberType } from './further-members.ts';

/** Merges the types of two values of a member. Null says nothing about the other values. */
export function mergeTypes(one: MemberType | undefined, other: MemberType): MemberType | undefined {
  if (one === undefined || one === 'null' || one === other) return other;
  return other === 'null' ? one : undefined;
}

/** Returns the JSON type of a member. */
export function typeOf(value: ExactJson | undefined): MemberType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  return isJsonObject(value) ? 'object' : 'number';
}
