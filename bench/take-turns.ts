import type { Comparison } from './statistics.ts';

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
  const values: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  const sides = [
    { all: values.ours, measure: measureOurs },
    { all: values.theirs, measure: measureTheirs },
  ];
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const { all, measure } of turn % 2 === 0 ? sides : sides.toReversed()) {
      const value = await measure();
      if (turn > 0) all.push(value);
    }
  }
  return { title, ...values };
}
