import { type Comparison, median, ratios } from './statistics.ts';

/** How a table is printed. */
export interface TableOptions {
  readonly title: string;
  /** What the two columns of values are, with their unit. */
  readonly ours: string;
  readonly theirs: string;
  /** The bound that the median ratio is held to, if any. */
  readonly goal?: { readonly least?: number; readonly most?: number };
}

/** Prints comparisons as a Markdown table: medians, the median ratio, its spread, and whether it meets the goal. */
export function printTable(
  { title, ours, theirs, goal = {} }: TableOptions,
  comparisons: readonly Comparison[],
): string {
  const rows = comparisons.map((comparison) => {
    const all = ratios(comparison);
    const ratio = median(all);
    const spread = `${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`;
    const values = [comparison.theirs, comparison.ours].map((column) => Math.round(median(column)));
    return [comparison.title, ...values, ratio.toFixed(2), spread, judge(ratio, goal)];
  });
  const head = ['', theirs, ours, 'ratio', 'spread', 'goal'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${title}\n\n${lines.join('\n')}\n`;
}

function judge(ratio: number, { least, most }: NonNullable<TableOptions['goal']>): string {
  if (least !== undefined) return `at least ${least}: ${ratio >= least ? 'yes' : 'NO'}`;
  if (most !== undefined) return `at most ${most}: ${ratio <= most ? 'yes' : 'NO'}`;
  return '';
}
