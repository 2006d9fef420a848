/** Prints a duration in milliseconds, the same in the log and in the console: `19 ms`, or `<1 ms`. */
export function printDuration(ms: number): string {
  return ms < 1 ? '<1 ms' : `${Math.round(ms)} ms`;
}
