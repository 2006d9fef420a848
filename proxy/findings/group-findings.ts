import type { Finding } from './findings-record.ts';

/** A rule that an exchange breaks at one place, perhaps in many elements of a list. */
interface GroupedFinding extends Finding {
  /** How often earlier exchanges have broken the rule there. */
  readonly earlier: number;
}

/** Returns each rule and place of an exchange once: its first violation, with the count after its last one. */
export function groupFindings(found: readonly Finding[]): GroupedFinding[] {
  const groups = Map.groupBy(found, ({ severity, place, rule }) => JSON.stringify([severity, place, rule]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const last = group.at(-1);
    if (first === undefined || last === undefined) return [];
    return [{ ...first, count: last.count, earlier: first.count - 1 - (first.more ?? 0) }];
  });
}
