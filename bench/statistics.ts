/** The middle value; of an even number of values, the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** A measure of two programs, taken turn by turn: as many values of the one as of the other. */
export interface Comparison {
  readonly title: string;
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

/** The ratios of ours to theirs, turn by turn: neighbours in time share the noise of the machine. */
export function ratios({ ours, theirs }: Comparison): number[] {
  return ours.map((value, turn) => value / (theirs[turn] ?? Number.NaN));
}
