/** Values of a choice that are set by name or learned, but neither drawn nor tried. */
export interface FreeValues<Value> {
  /** The values, to be read after "must be". */
  readonly expected: string;
  readonly example: Value;
  /** JSON Schema of the values. */
  readonly schema: object;
  has(value: unknown): value is Value;
  /** By how much two numbers may differ that are learned from the same deployment. @default 0 */
  readonly precision?: number;
  /** Describes what a deployment with a value does, to be read after its name. */
  does(value: Value): string;
}

/** Creates free values that are integers. @param does describes what a deployment with an integer does */
export function createIntegers(
  least: number,
  most: number,
  example: number,
  does: (value: number) => string,
): FreeValues<number> {
  return {
    expected: `an integer from ${least} to ${most}`,
    example,
    schema: { type: 'integer', minimum: least, maximum: most },
    has: (value): value is number =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
    does,
  };
}
