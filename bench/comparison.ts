/** A measure of two programs, taken turn by turn: as many values of the one as of the other. */
export interface Comparison {
  readonly title: string;
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

/** How a table is printed. */
export interface TableOptions {
  readonly title: string;
  /** What the two columns of values are, with their unit. */
  readonly ours: string;
  readonly theirs: string;
  /** The bound that the median ratio is held to, if any. */
  readonly goal?: { readonly least?: number; readonly most?: number };
}

/**
 * Measures two programs turn by turn, each being the first of the two in every other turn. The first turn of all does not
 * count.
 */
export async function takeTurns(
  title: string,
  turns: number,
  measureOurs: () => Promise<number>,
  measureTheirs: () => Promise<number>,
): Promise<Comparison> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  const sides = [
    { all: ours, measure: measureOurs },
    { all: theirs, measure: measureTheirs },
  ];
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const { all, measure } of turn % 2 === 0 ? sides : sides.toReversed()) {
      const value = await measure();
      if (turn > 0) all.push(value);
    }
  }
  return { title, ours, theirs };
}

/**
 * Prints comparisons as a Markdown table: medians, the median ratio, its spread, and whether it meets the goal. Ratios are
 * taken turn by turn, since neighbours in time share the noise of the machine.
 */
export function printTable({ title, ours, theirs, goal }: TableOptions, comparisons: readonly Comparison[]) {
  const rows = comparisons.map((comparison) => {
    const ratios = comparison.ours.map((value, turn) => value / (comparison.theirs[turn] ?? Number.NaN));
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const values = [comparison.theirs, comparison.ours].map((column) => Math.round(median(column)));
    return [comparison.title, ...values, median(ratios).toFixed(2), spread, judge(median(ratios), goal)];
  });
  const head = ['', theirs, ours, 'ratio', 'spread', 'goal'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${title}\n\n${lines.join('\n')}\n`;
}

/** The middle value; of an even number of values, the upper of the two in the middle. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function judge(ratio: number, { least, most }: TableOptions['goal'] = {}): string {
  if (least !== undefined) return `at least ${least}: ${ratio >= least ? 'yes' : 'NO'}`;
  if (most !== undefined) return `at most ${most}: ${ratio <= most ? 'yes' : 'NO'}`;
  return '';
}
