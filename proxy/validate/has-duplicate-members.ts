import type { JsonBody } from './read-body.ts';

/** Returns whether an object of a JSON text has a member twice: its text then has more colons than its value has members. */
export function hasDuplicateMembers({ text, exact }: JsonBody): boolean {
  const withoutStrings = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/gs, '');
  const colons = withoutStrings.split(':').length - 1;
  return colons > countMembers(exact);
}

/** Counts the members of all objects in a value, which may be nested too deeply for a recursion. */
function countMembers(value: unknown): number {
  let members = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const children = Object.values(next);
    if (!Array.isArray(next)) members += children.length;
    open.push(...children);
  }
  return members;
}
