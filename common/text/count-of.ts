/** Returns a number with a noun in the singular or the plural, such as `1 animal` and `7 animals`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
