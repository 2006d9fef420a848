/** Returns whether a query has each of these parameters with this value. A parameter may be there more than once. */
export function hasParameters(
  query: { getAll(name: string): string[] },
  wanted: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(wanted).every(([name, value]) => query.getAll(name).includes(`${value}`));
}
