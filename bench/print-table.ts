import { type Comparison, median, ratios } from './statistics.ts';

/** How a table is printed. */
export interface TableOptions {
  readonly title: string;
  /** What the two columns of values are, with their unit. */
  readonly ours: string;
  readonly theirs: string;
  /** The bound that the median ratio is held to. */
  readonly goal: { readonly least: number } | { readonly most: number };
}

/** Prints comparisons as a Markdown table: medians, the median ratio, its spread, and whether it meets the goal. */
export function printTable(
  { title, ours, theirs, goal }: TableOptions,
  comparisons: readonly Comparison[],
): string {
  const bound = 'least' in goal ? `at least ${goal.least}` : `at most ${goal.most}`;
  const rows = comparisons.map((comparison) => {
    const all = ratios(comparison);
    const ratio = median(all);
    const isMet = 'least' in goal ? ratio >= goal.least : ratio <= goal.most;
    const spread = `${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`;
    const values = [comparison.theirs, comparison.ours].map((column) => Math.round(median(column)));
    return [comparison.title, ...values, ratio.toFixed(2), spread, `${bound}: ${isMet ? 'yes' : 'NO'}`];
  });
  const head = ['', theirs, ours, 'ratio', 'spread', 'goal'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${title}\n\n${lines.join('\n')}\n`;
}
