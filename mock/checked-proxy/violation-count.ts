import { toOneLine } from '../to-one-line.ts';
import type { Exchange, Violation } from './exchange.ts';

/** What the exchanges so far have broken. */
export interface ViolationCount {
  /** Counts the violations of an exchange and writes a line for each. */
  add(exchange: Exchange): void;
  /** The count by operation, place and rule, as text of several lines. */
  print(): string;
}

/** Creates an empty count; `write` gets each line with its line break. */
export function createViolationCount(write: (line: string) => void): ViolationCount {
  const counts = new Map<string, number>();
  let exchanges = 0;
  return {
    add({ operationId = 'no operation', violations }) {
      exchanges += 1;
      for (const violation of violations) {
        const rule = `${violation.severity} ${operationId} ${placeOf(violation)}`;
        counts.set(rule, (counts.get(rule) ?? 0) + 1);
        write(`${toOneLine(`${rule}: ${violation.message}`)}\n`);
      }
    },
    print() {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const rows = [...counts]
        .sort(([, one], [, other]) => other - one)
        .map(([rule, count]) => `${count} × ${rule}\n`);
      return `${all} violations in ${exchanges} exchanges\n${rows.join('')}`;
    },
  };
}

/** The place and the rule; every element of an array is the same place. */
function placeOf({ location, code = '' }: Violation): string {
  return `${location.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('.')} ${code}`.trim();
}
