import type { RunOutcome } from './send-many.ts';

type Answers = Map<string, number>;

/** Counts what comes of requests. */
export interface Tally {
  add(outcome: RunOutcome): void;
  /** The answers of each server and to each kind of damage, as a Markdown table. */
  print(): string;
}

/** Creates a tally with nothing in it; `names` has the servers' names by their base URLs. */
export function createTally(names: ReadonlyMap<string, string>): Tally {
  const servers = new Map<string, Answers>();
  const kinds = new Map<string, Answers>();
  return {
    add: ({ server, request, status }) => {
      const answer = status === undefined ? 'no answer' : String(status);
      count(servers, `all to the ${names.get(server)}`, answer);
      count(kinds, request.kind, answer);
    },
    print: () => {
      const rows = [...sorted(servers), ...sorted(kinds)].map(
        ([name, answers]) => `| ${name} | ${sum(answers)} | ${printAnswers(answers)} |`,
      );
      return ['| | requests | answers |', '| --- | --- | --- |', ...rows].join('\n');
    },
  };
}

function count(rows: Map<string, Answers>, name: string, answer: string): void {
  const answers = rows.get(name) ?? new Map<string, number>();
  rows.set(name, answers.set(answer, (answers.get(answer) ?? 0) + 1));
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function sum(answers: Answers): number {
  return [...answers.values()].reduce((total, number) => total + number, 0);
}

function printAnswers(answers: Answers): string {
  return sorted(answers)
    .map(([answer, number]) => `${answer}: ${number}`)
    .join(', ');
}
