/** A measure of two programs, taken turn by turn. */
export interface Comparison {
  readonly title: string;
  /** The values of each turn, ours first. */
  readonly turns: readonly (readonly [ours: number, theirs: number])[];
  /** Where it is not that of the table. */
  readonly goal?: TableOptions['goal'];
}

/** How a table is printed. */
export interface TableOptions {
  readonly title: string;
  /** What the two columns of values are, with their unit. */
  readonly ours: string;
  readonly theirs: string;
  /** The bound that the median ratio is held to, if any. */
  readonly goal?: readonly ['at least' | 'at most', number];
}

/**
 * Measures two programs turn by turn, each being the first of the two in every other turn. The first turn of all does not
 * count.
 */
export async function takeTurns<Program>(
  title: string,
  turns: number,
  [ours, theirs]: readonly [Program, Program],
  measure: (program: Program) => Promise<number>,
): Promise<Comparison> {
  const [, ...counted] = await Array.fromAsync({ length: turns + 1 }, async (_, turn) => {
    const early = turn % 2 === 0 ? undefined : await measure(theirs);
    return [await measure(ours), early ?? (await measure(theirs))] as const;
  });
  return { title, turns: counted };
}

/**
 * Prints comparisons as a Markdown table: medians, the median ratio, its spread, and whether it meets the goal. Ratios are
 * taken turn by turn, since neighbours in time share the noise of the machine.
 */
export function printTable({ title, ours, theirs, goal }: TableOptions, comparisons: readonly Comparison[]) {
  const rows = comparisons.map((comparison) => {
    const medians = [1, 0].map((side) => median(comparison.turns.map((turn) => turn[side] ?? Number.NaN)));
    const ratios = comparison.turns.map((turn) => turn[0] / turn[1]);
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const ratio = median(ratios);
    return [
      comparison.title,
      ...medians.map(Math.round),
      ratio.toFixed(2),
      spread,
      checkGoal(ratio, comparison.goal ?? goal),
    ];
  });
  const head = ['', theirs, ours, 'ratio', 'spread', 'goal'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${title}\n\n${lines.join('\n')}\n`;
}

/** The middle value; of an even number of values, the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function checkGoal(ratio: number, goal: TableOptions['goal']): string {
  if (goal === undefined) return '';
  const [word, bound] = goal;
  return `${word} ${bound}: ${(word === 'at least' ? ratio >= bound : ratio <= bound) ? 'yes' : 'NO'}`;
}
